#!/bin/sh
# Patroni runs it once, on the first node, with the address of the new server: makes the board's own role and database.
set -eu
psql "$1" --set ON_ERROR_STOP=1 --set password="$BOARD_PASSWORD" <<'SQL'
CREATE ROLE board LOGIN PASSWORD :'password';
CREATE DATABASE board OWNER board TEMPLATE template0 ENCODING 'UTF8' LOCALE 'C.UTF-8';
SQL
