-- What does a record say that no column has? Its payload, exactly as received.
SELECT id, json_extract_string(payload, '$.protocolSection.oversightModule.oversightHasDmc') AS monitored,
  sha256(payload) = payload_sha256 AS is_as_received
FROM raw
WHERE format = 'json'
ORDER BY id
LIMIT 3;
