-- Exact counts of a comparison, as one JSON object.
SELECT to_json({
  'trials': {
    'from': (SELECT count(*) FROM trials_a),
    'added': (SELECT count(*) FROM trials_fresh) - (SELECT count(*) FROM split),
    'changed': (SELECT count(DISTINCT k) FROM trials_fields),
    'removed': (SELECT count(*) FROM trials_gone) - (SELECT count(*) FROM merged),
    'merged': (SELECT count(*) FROM merged),
    'split': (SELECT count(*) FROM split),
    'to': (SELECT count(*) FROM trials_b)
  },
  'registrations': {
    'from': (SELECT count(*) FROM registrations_a),
    'added': (SELECT count(*) FROM registrations_fresh),
    'changed': (SELECT count(DISTINCT k) FROM registrations_fields),
    'removed': (SELECT count(*) FROM registrations_gone),
    'to': (SELECT count(*) FROM registrations_b)
  },
  'links': {
    'from': (SELECT count(*) FROM links_a),
    'gained': (SELECT count(*) FROM links_fresh),
    'changed': (SELECT count(DISTINCT k) FROM links_fields),
    'lost': (SELECT count(*) FROM links_gone),
    'to': (SELECT count(*) FROM links_b)
  },
  'signals': {
    'from': (SELECT count(*) FROM signals_a),
    'gained': (SELECT count(*) FROM signals_b ANTI JOIN signals_a USING (id)),
    'lost': (SELECT count(*) FROM signals_a ANTI JOIN signals_b USING (id)),
    'to': (SELECT count(*) FROM signals_b)
  }
})::VARCHAR AS totals;
