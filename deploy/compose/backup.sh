#!/bin/sh
# Backup of the board's database, from which any moment can be restored (docs/runbooks.md).
#   backup.sh wal    copies what the primary writes, as it is written, to /backup/wal
#   backup.sh base   one copy of the whole server to /backup/base, checked; removes what KEEP_DAYS (14) no longer need
#   backup.sh daily  the same every day at 02:00 UTC
#   backup.sh restore ['2026-11-26 14:03:00+00']
#                    a server of its own on 127.0.0.1:5433 as it was at that moment, by default the last that was copied
# The server comes from libpq's own variables: PGHOST, PGPORT, PGUSER, PGPASSWORD.
set -eu
folder=${BACKUP_DIR:-/backup}
keep=${KEEP_DAYS:-14}

base() {
  mkdir -p "$folder/base" "$folder/wal"
  name=$(date -u +%Y-%m-%dT%H-%M-%SZ)
  pg_basebackup --pgdata="$folder/base/.$name" --checkpoint=fast --no-password
  pg_verifybackup --quiet "$folder/base/.$name"
  # Only a copy that was checked has a name without the dot.
  mv "$folder/base/.$name" "$folder/base/$name"
  echo "copied to $folder/base/$name"
  find "$folder/base" -mindepth 1 -maxdepth 1 -mtime "+$keep" -exec rm -r {} +
  oldest=$(find "$folder/base" -mindepth 1 -maxdepth 1 -name '2*' | sort | head -n 1)
  first=$(sed -n 's/^START WAL LOCATION: .*(file \([0-9A-F]*\))$/\1/p' "$oldest/backup_label")
  pg_archivecleanup "$folder/wal" "$first"
}

restore() {
  until=$(date -u ${1:+-d "$1"} +%Y-%m-%dT%H-%M-%SZ)
  from=$(find "$folder/base" -mindepth 1 -maxdepth 1 -name '2*' | sort | awk -F / -v until="$until" '$NF <= until' | tail -n 1)
  if [ -z "$from" ]; then
    echo "no copy in $folder/base was made before $until" >&2
    exit 1
  fi
  rm -rf "$folder/restored"
  cp -a "$from" "$folder/restored"
  echo "from $from"
  {
    echo "restore_command = 'cp \"$folder/wal/%f\" \"%p\" 2>/dev/null || cp \"$folder/wal/%f.partial\" \"%p\" 2>/dev/null'"
    echo "recovery_target_action = promote"
    if [ -n "${1:-}" ]; then echo "recovery_target_time = '$1'"; fi
  } >>"$folder/restored/postgresql.auto.conf"
  rm -f "$folder/restored/standby.signal"
  touch "$folder/restored/recovery.signal"
  # It is for reading: nothing waits for a standby, and nobody else reaches it. Patroni's settings name files of another folder.
  exec postgres -D "$folder/restored" -c hba_file="$folder/restored/pg_hba.conf" -c ident_file="$folder/restored/pg_ident.conf" \
    -c listen_addresses=127.0.0.1 -c port="${RESTORED_PORT:-5433}" \
    -c unix_socket_directories= -c synchronous_standby_names= -c archive_mode=off -c logging_collector=off
}

case ${1:-} in
  wal)
    mkdir -p "$folder/wal"
    # Patroni keeps the slot (patroni.yml), so that the primary waits with removing what was not copied yet.
    exec pg_receivewal --directory="$folder/wal" --slot=backup --no-password ;;
  base) base ;;
  restore) restore "${2:-}" ;;
  daily)
    while :; do
      sleep $(((86400 + 7200 - $(date -u +%s) % 86400) % 86400 + 1))
      # A shell of its own, because in this place `set -e` would not hold for a function.
      sh "$0" base || echo 'no copy was made today: the lines above say why' >&2
    done ;;
  *) echo 'usage: backup.sh wal|base|daily|restore' >&2; exit 2 ;;
esac
