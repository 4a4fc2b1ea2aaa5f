#!/usr/bin/env python3
"""A second verifier of proof bundles, written from docs/proofs.md with the standard library alone.

    python3 verify.py bundle.json [--keys FILE] [--identity HEX] [--checkpoint FILE] [--require-origin] [--require-links]
    python3 verify.py --stream

With --stream each line of the standard input is a JSON object: "bundle" (base64 of its bytes) and, where wanted, "keys", "identity",
"checkpoint" and "requireOrigin". The answer to each is a line: "ok", "consistent" where nothing proves the origin, the name of the check
that failed, or "misuse" where an option is not of its form.
"""

import base64
import binascii
import hashlib
import json
import re
import sys
import unicodedata

LARGEST = 2**53 - 1
MAX_FILE_BYTES = 262_144
TABLES = ("trials", "registrations", "links")
LISTS = ("arms", "intervention_descriptions", "other_outcomes", "primary_outcomes", "secondary_outcomes", "sites")
COLUMN_CHANGES = ("trial-changed", "registration-changed")
SHOWN_CHARACTERS = 64


class Failed(Exception):
    def __init__(self, check, message):
        super().__init__(message)
        self.check = check


class Misuse(Exception):
    """What the caller gave is not of its form."""


def need(holds, check, message):
    if not holds:
        raise Failed(check, message)


# --- Ed25519 (RFC 8032, section 5.1) ---

P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P
ROOT_OF_MINUS_ONE = pow(2, (P - 1) // 4, P)


def add_points(one, other):
    a = (one[1] - one[0]) * (other[1] - other[0]) % P
    b = (one[1] + one[0]) * (other[1] + other[0]) % P
    c = 2 * one[3] * other[3] * D % P
    d = 2 * one[2] * other[2] % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return (e * f % P, g * h % P, f * g % P, e * h % P)


def times(scalar, point):
    total = (0, 1, 1, 0)
    while scalar > 0:
        if scalar & 1:
            total = add_points(total, point)
        point = add_points(point, point)
        scalar >>= 1
    return total


def x_of(y, sign):
    if y >= P:
        return None
    square = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
    if square == 0:
        return None if sign else 0
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P != 0:
        x = x * ROOT_OF_MINUS_ONE % P
    if (x * x - square) % P != 0:
        return None
    return P - x if (x & 1) != sign else x


def point_from(encoded):
    y = int.from_bytes(encoded, "little")
    sign = y >> 255
    y &= (1 << 255) - 1
    x = x_of(y, sign)
    return None if x is None else (x, y, 1, x * y % P)


def encoded_point(point):
    inverse = pow(point[2], P - 2, P)
    x, y = point[0] * inverse % P, point[1] * inverse % P
    return (y | ((x & 1) << 255)).to_bytes(32, "little")


BASE_Y = 4 * pow(5, P - 2, P) % P
BASE_X = x_of(BASE_Y, 0)
BASE = (BASE_X, BASE_Y, 1, BASE_X * BASE_Y % P)


def signature_holds(public_key, message, signature):
    if len(signature) != 64:
        return False
    key = point_from(public_key)
    r, s = signature[:32], int.from_bytes(signature[32:], "little")
    if key is None or s >= L:
        return False
    k = int.from_bytes(hashlib.sha512(r + public_key + message).digest(), "little") % L
    # S*B - k*A is R where the signature holds.
    minus_key = (P - key[0], key[1], key[2], P - key[3])
    return encoded_point(add_points(times(s, BASE), times(k, minus_key))) == r


KNOWN_SIGNATURES = {}


def signature_holds_once(public_key, message, signature):
    """A stream asks for the same signatures many times."""
    asked = (public_key, message, signature)
    if asked not in KNOWN_SIGNATURES:
        KNOWN_SIGNATURES[asked] = signature_holds(public_key, message, signature)
    return KNOWN_SIGNATURES[asked]


# --- JSON ---


def no_constant(name):
    raise ValueError(f"{name} is not JSON")


def members_once(pairs):
    members = dict(pairs)
    if len(members) != len(pairs):
        raise ValueError("a member twice")
    return members


def read_json(text):
    return json.loads(text, parse_int=float, parse_constant=no_constant, object_pairs_hook=members_once)


def is_text(value):
    return isinstance(value, str) and not any(0xD800 <= ord(character) <= 0xDFFF for character in value)


def is_count(value):
    return isinstance(value, float) and value.is_integer() and 0 <= value <= LARGEST


def is_hash(value):
    return isinstance(value, str) and re.fullmatch(r"[0-9a-f]{64}", value) is not None


def is_path(value):
    return isinstance(value, list) and all(is_hash(one) for one in value)


def number_text(value):
    """As ECMAScript writes it: Number::toString of ECMA-262."""
    if value != value or value in (float("inf"), float("-inf")):
        raise ValueError("no number of JSON")
    if value == 0:
        return "0"
    if value < 0:
        return "-" + number_text(-value)
    mantissa, _, exponent = f"{value!r}".partition("e")
    whole, _, fraction = mantissa.partition(".")
    fraction = "" if fraction == "0" else fraction
    digits = (whole + fraction).lstrip("0")
    point = len(whole) + int(exponent or 0) - (len(whole + fraction) - len((whole + fraction).lstrip("0")))
    digits = digits.rstrip("0")
    count = len(digits)
    if count <= point <= 21:
        return digits + "0" * (point - count)
    if 0 < point <= 21:
        return digits[:point] + "." + digits[point:]
    if -6 < point <= 0:
        return "0." + "0" * -point + digits
    power = point - 1
    sign = "+" if power > 0 else "-"
    return digits[0] + ("." + digits[1:] if count > 1 else "") + "e" + sign + str(abs(power))


ESCAPES = {'"': '\\"', "\\": "\\\\", "\b": "\\b", "\f": "\\f", "\n": "\\n", "\r": "\\r", "\t": "\\t"}


def string_text(value):
    return '"' + "".join(ESCAPES.get(one) or (f"\\u{ord(one):04x}" if ord(one) < 0x20 else one) for one in value) + '"'


def canonical(value):
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return number_text(value)
    if isinstance(value, str):
        return string_text(value)
    if isinstance(value, list):
        return "[" + ",".join(canonical(one) for one in value) + "]"
    names = sorted(value, key=lambda name: name.encode("utf-16-be"))
    return "{" + ",".join(string_text(name) + ":" + canonical(value[name]) for name in names) + "}"


def canonical_object(text):
    try:
        value = read_json(text)
        return value if isinstance(value, dict) and canonical(value) == text else None
    except (ValueError, UnicodeEncodeError, RecursionError):
        return None


# --- Form ---


def has_form(value, must, may=None):
    if not isinstance(value, dict):
        return False
    tests = {**(may or {}), **must}
    return all(name in value for name in must) and all(
        name in tests and tests[name](one) for name, one in value.items()
    )


def is_table(value, may=None):
    return has_form(value, {"size": is_count, "root": is_hash, "rows": is_rows}, may)


def is_rows(value):
    return isinstance(value, list) and all(
        has_form(row, {"index": is_count, "row": is_text, "path": is_path}) for row in value
    )


def is_tables(value):
    return has_form(
        value,
        {
            "trials": is_table,
            "registrations": is_table,
            "links": lambda table: is_table(table, {"omitted": lambda count: is_count(count) and count > 0}),
        },
    )


def is_keys(value):
    return isinstance(value, list) and all(is_text(one) for one in value)


def is_log(value):
    return value is None or has_form(
        value, {"index": is_count, "size": is_count, "path": is_path, "checkpoint": is_text, "keys": is_keys}
    )


def is_consistency(value):
    return has_form(value, {"from": is_count, "to": is_count, "path": is_path, "checkpoint": is_text})


def is_changes(value):
    is_texts = lambda rows: isinstance(rows, list) and all(is_text(row) for row in rows)  # noqa: E731
    return has_form(value, {"size": is_count, "first": is_count, "rows": is_texts, "path": is_path})


def is_parent(value):
    return has_form(value, {"statement": is_text, "tables": is_tables})


def read_bundle(content):
    need(len(content) <= MAX_FILE_BYTES, "form", f"it has more than {MAX_FILE_BYTES} bytes")
    try:
        value = read_json(content.decode("utf-8"))
    except (ValueError, RecursionError):
        raise Failed("form", "the bundle is not JSON in UTF-8") from None
    if isinstance(value, dict) and "data" in value and "_meta" in value:
        value = value["data"]
    must = {
        "format": lambda name: name == "trial-board-proof/1",
        "statement": is_text,
        "tables": is_tables,
        "log": is_log,
    }
    may = {"changes": is_changes, "parent": is_parent, "consistency": is_consistency}
    need(has_form(value, must, may), "form", "the bundle is not of its form")
    return value


# --- Merkle trees (RFC 9162) ---


def sha256(data):
    return hashlib.sha256(data).digest()


def leaf_hash(data):
    return sha256(b"\x00" + data)


def node_hash(left, right):
    return sha256(b"\x01" + left + right)


def root_by_inclusion(index, size, leaf, path):
    """Section 2.1.3.2; None for a path that no such tree has."""
    index, size = int(index), int(size)
    if index >= size:
        return None
    fn, sn, r = index, size - 1, leaf
    for node in map(bytes.fromhex, path):
        if sn == 0:
            return None
        if fn & 1 or fn == sn:
            r = node_hash(node, r)
            if not fn & 1:
                while not (fn & 1 or fn == 0):
                    fn, sn = fn >> 1, sn >> 1
        else:
            r = node_hash(r, node)
        fn, sn = fn >> 1, sn >> 1
    return r if sn == 0 else None


def root_by_range(first, size, leaves, path):
    """Of leaves side by side and the roots of what is before and after them; None for nodes that no such tree has."""
    first, size = int(first), int(size)
    end = first + len(leaves)
    if size == 0:
        return sha256(b"") if end == 0 and not path else None
    if not leaves or end > size:
        return None
    nodes = list(map(bytes.fromhex, path))

    def root_of(start, stop):
        if stop <= first or start >= end:
            return nodes.pop(0) if nodes else None
        if stop - start == 1:
            return leaves[start - first]
        # The left subtree has the largest power of two below the number of leaves.
        middle = start + (1 << ((stop - start - 1).bit_length() - 1))
        left = root_of(start, middle)
        right = None if left is None else root_of(middle, stop)
        return None if right is None else node_hash(left, right)

    root = root_of(0, size)
    return None if nodes else root


def goes_on(first, first_root, second, second_root, path):
    """Section 2.1.4.2."""
    first, second = int(first), int(second)
    if first < 1 or first > second:
        return False
    if first == second:
        return path == [] and first_root == second_root
    if not path:
        return False
    nodes = [bytes.fromhex(one) for one in path]
    if first & (first - 1) == 0:
        nodes.insert(0, first_root)
    fn, sn = first - 1, second - 1
    while fn & 1:
        fn, sn = fn >> 1, sn >> 1
    fr = sr = nodes[0]
    for node in nodes[1:]:
        if sn == 0:
            return False
        if fn & 1 or fn == sn:
            fr, sr = node_hash(node, fr), node_hash(node, sr)
            if not fn & 1:
                while not (fn & 1 or fn == 0):
                    fn, sn = fn >> 1, sn >> 1
        else:
            sr = node_hash(sr, node)
        fn, sn = fn >> 1, sn >> 1
    return sn == 0 and fr == first_root and sr == second_root


# --- Checkpoints, notes, keys ---


def from_base64(text):
    try:
        data = base64.b64decode(text.encode("ascii"), validate=True)
    except (binascii.Error, UnicodeEncodeError):
        return None
    return data if text != "" and base64.b64encode(data).decode("ascii") == text else None


def is_name(name):
    return name != "" and not any(
        one == "+" or one.isspace() or unicodedata.category(one) in ("Cc", "Cs") for one in name
    )


def read_note(note, check):
    need(not any(ord(one) < 0x20 and one != "\n" for one in note), check, "a control character")
    text, gap, rest = note.rpartition("\n\n")
    need(gap != "" and rest.endswith("\n"), check, "no line with a signature at the end")
    lines = rest[:-1].split("\n")
    need(len(lines) <= 64, check, "too many signatures")
    signatures = []
    for line in lines:
        parts = line.split(" ")
        need(len(parts) == 3 and parts[0] == "\u2014", check, "no line of a signature")
        data = from_base64(parts[2])
        need(is_name(parts[1]) and data is not None and len(data) > 4, check, "no line of a signature")
        signatures.append((parts[1], data[:4].hex(), data[4:]))
    return text + "\n", signatures


def text_of(content, check):
    return read_note(content, check)[0] if "\n\n" in content else content


def read_checkpoint(text, check):
    lines = text.split("\n")
    need(lines.pop() == "" and len(lines) >= 3 and "" not in lines, check, "not three lines or more")
    origin, size, root = lines[0], lines[1], from_base64(lines[2])
    need(is_name(origin), check, "no name of a log")
    need(re.fullmatch(r"0|[1-9][0-9]*", size) is not None and len(size) <= 16, check, "no size")
    need(int(size) <= LARGEST and root is not None and len(root) == 32, check, "no size or root")
    return origin, int(size), root


def read_key(line):
    name, _, rest = line.partition("+")
    identifier, _, material = rest.partition("+")
    data = from_base64(material)
    need(is_name(name) and re.fullmatch(r"[0-9a-fA-F]{8}", identifier) is not None, "signature", "no public key")
    need(data is not None and len(data) == 33 and data[0] == 1, "signature", "no public key of Ed25519")
    expected = sha256(name.encode() + b"\n" + data)[:4].hex()
    need(identifier.lower() == expected, "signature", "the id of a key is wrong")
    return name, expected, data[1:]


def signers_of(content, known, check):
    if "\n\n" not in content:
        return set()
    text, signatures = read_note(content, check)
    found = set()
    for name, identifier, signature in signatures:
        for key in known:
            if key[:2] == (name, identifier):
                need(signature_holds_once(key[2], text.encode(), signature), check, f"a signature of {name}")
                found.add(key)
                break
    return found


# --- The checks, in the order of docs/proofs.md ---


def read_wanted(keys, identity, checkpoint):
    if identity is not None and not is_hash(identity):
        raise Misuse("--identity: it is not 64 hex digits")
    try:
        trusted = None if keys is None else [read_key(line) for line in keys]
        kept = None if checkpoint is None else read_checkpoint(text_of(checkpoint, "kept"), "kept")
    except Failed as failed:
        option = "--checkpoint" if failed.check == "kept" else "--keys"
        raise Misuse(f"{option}: {failed}") from None
    return trusted, kept


def verify(content, keys=None, identity=None, checkpoint=None, requireOrigin=False, requireLinks=False):  # noqa: N803
    """Whether the origin is proven, and what was. Raises Failed, and Misuse."""
    trusted, kept = read_wanted(keys, identity, checkpoint)
    bundle = read_bundle(content)
    statement = check_statement(bundle["statement"])
    own_identity = sha256(bundle["statement"].encode())
    need(identity is None or identity == own_identity.hex(), "identity", f"the identity is {own_identity.hex()}")
    rows = check_tables(bundle["tables"], statement)
    need(not requireLinks or is_joined(rows["registrations"], rows["links"]), "links", UNJOINED)
    changed = check_changes(bundle.get("changes"), statement["changes"], rows["trials"][0], rows["registrations"])
    before = check_parent(bundle.get("parent"), statement["parent"], rows["trials"][0])
    if changed is not None and before is not None:
        check_differences(changed, rows, before)
    log = bundle["log"]
    head = None if log is None else check_log(log, own_identity)
    known = check_signatures(log, trusted)
    check_consistency(bundle, known, kept, head)
    counted = kept is not None and log["index"] < kept[1]
    proven = identity is not None or trusted is not None or counted
    need(proven or not requireOrigin, "origin", "nothing proves the origin")
    return proven, {
        **rows,
        "statement": statement,
        "identity": own_identity.hex(),
        "omitted": bundle["tables"]["links"].get("omitted", 0),
        "changed": changed,
        "before": before,
        "entry": None if log is None else (log["index"], *head),
        "signed": trusted is not None,
    }


def check_statement(text):
    statement = canonical_object(text)
    need(statement is not None, "statement", "not in canonical form")
    need(statement.get("format") == "trial-board-snapshot/3", "statement", "another format")
    date = r"[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])"
    need(matches(date, statement.get("asOf")), "statement", "no date as asOf")
    need(statement.get("corpus") in ("registries", "sample"), "statement", "another corpus")
    for name in ("parent", "changes"):
        held = statement.get(name, 0)
        need(held is None or is_hash(held), "statement", f"{name} is neither a hash nor null")
    tables = statement.get("tables")
    need(isinstance(tables, dict), "statement", "no tables")
    for name in TABLES:
        table = tables.get(name)
        stated = isinstance(table, dict) and is_count(table.get("rows")) and is_hash(table.get("root"))
        need(stated, "statement", f"no rows and root of {name}")
    return statement


def check_tables(tables, statement):
    """The rows, which are those of one trial in the snapshot of the statement."""
    for name in TABLES:
        table, stated = tables[name], statement["tables"][name]
        need(table["size"] == stated["rows"] and table["root"] == stated["root"], "tables", name)
    rows = check_rows(tables)
    links = tables["links"]
    room = links["size"] - len(links["rows"])
    need(links.get("omitted", 0) <= room, "tables", "links has fewer rows than the bundle has and leaves out")
    check_trial(**rows)
    return rows


def check_rows(tables):
    found = {}
    for name in TABLES:
        table, last, found[name] = tables[name], -1, []
        for row in table["rows"]:
            value = canonical_object(row["row"])
            need(value is not None, "rows", f"a row of {name} is not in canonical form")
            need(row["index"] > last, "rows", f"rows of {name} are not in order")
            last = int(row["index"])
            root = root_by_inclusion(row["index"], table["size"], leaf_hash(row["row"].encode()), row["path"])
            need(root is not None and root.hex() == table["root"], "rows", f"row {last} of {name} is not under its root")
            found[name].append(value)
    return found


def matches(form, value):
    return isinstance(value, str) and re.fullmatch(form, value) is not None


LINK = {
    "link_id": "ln_[0-9a-z]{12,}",
    "from_registry": "clinicaltrials_gov|isrctn",
    "from_id": "(NCT|ISRCTN)[0-9]{8}",
    "to_registry": "clinicaltrials_gov|isrctn",
    "to_id": "(NCT|ISRCTN)[0-9]{8}",
    "kind": "explicit-cross-reference|shared-identifier",
    "verdict": "accepted|rejected",
    "rule": "[a-z0-9]+(-[a-z0-9]+)*",
}


def check_trial(trials, registrations, links):
    need(len(trials) == 1, "trial", "not one row of trials")
    trial = trials[0]
    need(matches("wt_[0-9a-z]{12,}", trial.get("canonical_id")), "trial", "no canonical_id")
    named = set()
    for registry, column, prefix in (("clinicaltrials_gov", "ctgov_id", "NCT"), ("isrctn", "isrctn_id", "ISRCTN")):
        held = trial.get(column, 0)
        need(held is None or matches(prefix + "[0-9]{8}", held), "trial", column)
        if trial[column] is not None:
            named.add((registry, trial[column]))
    need(named, "trial", "no registration is named")
    held = [(row.get("registry"), row.get("id")) for row in registrations]
    need(all(one in held for one in named) and len(held) == len(named), "trial", "other registrations than named")
    need(all(is_hash(row.get("payload_sha256")) for row in registrations), "trial", "no payload_sha256")
    for link in links:
        need(all(matches(form, link.get(name)) for name, form in LINK.items()), "trial", "a link of another form")
        ends = [(link.get(f"{end}_registry"), link.get(f"{end}_id")) for end in ("from", "to")]
        need(any(one in ends for one in named), "trial", "a link of other registrations")


UNJOINED = "no accepted link of the bundle joins the registrations: that they are one trial stands in its row alone"


def is_joined(registrations, links):
    """Whether accepted links lead from each registration to every other one, perhaps over a record that one superseded."""
    reached = {row["id"] for row in registrations[:1]}
    size = 0
    while size < len(reached):
        size = len(reached)
        for link in links:
            ends = {link["from_id"], link["to_id"]}
            if link["verdict"] == "accepted" and reached & ends:
                reached |= ends
    return all(row["id"] in reached for row in registrations)


CHANGE_KIND = "(trial|registration|link|identifier|publication)-(added|changed|removed|merged|split|gained|lost)"


def check_changes(changes, root, trial, registrations):
    """The changes of the trial, from rows side by side with one before and one after them."""
    if changes is None:
        return None
    need(root is not None, "changes", "the statement names none")
    rows = [canonical_object(row) for row in changes["rows"]]
    need(None not in rows, "changes", "a change is not in canonical form")
    leaves = [leaf_hash(row.encode()) for row in changes["rows"]]
    reached = root_by_range(changes["first"], changes["size"], leaves, changes["path"])
    need(reached is not None and reached.hex() == root, "changes", "not under their root")
    own_id, id_form = trial["canonical_id"], "wt_[0-9a-z]{12,}"
    before, after = (rows[place].get("canonical_id", 0) if rows else 0 for place in (0, -1))
    if matches(id_form, before) and before < own_id:
        rows.pop(0)
    else:
        need(changes["first"] == 0, "changes", "no row of an earlier trial is before them")
    if after is None or (matches(id_form, after) and after > own_id):
        rows.pop()
    else:
        need(changes["first"] + len(leaves) == changes["size"], "changes", "no row of a later trial is after them")
    for row in rows:
        check_change(row, own_id, trial, registrations)
    return rows


def check_change(row, own_id, trial, registrations):
    null_or = lambda name, test: row.get(name, 0) is None or test(row.get(name))  # noqa: E731
    need(row.get("canonical_id") == own_id, "changes", "a change of another trial")
    need(matches(CHANGE_KIND, row.get("kind")), "changes", "another kind")
    of = lambda one: matches("(NCT|ISRCTN)[0-9]{8}", one)  # noqa: E731
    need(null_or("registration_id", of), "changes", "no id of a registration")
    need(null_or("item", is_text) and null_or("field", is_text), "changes", "no text")
    need(null_or("old_sha256", is_hash) and null_or("new_sha256", is_hash), "changes", "no hash")
    kind, column, own = row["kind"], row["field"], row["registration_id"]
    need(not kind.startswith("trial-") or own is None, "changes", "a change of a trial names a registration")
    need(not kind.startswith("registration-") or own is not None, "changes", "no registration is named")
    if kind not in COLUMN_CHANGES:
        return
    need(column is not None, "changes", "no column is named")
    held = row_of(own, trial, registrations)
    stated = None if held is None else sum_in(held, column)
    need(stated is None or stated == row["new_sha256"], "changes", f"the row has another {column}")


def row_of(own, trial, registrations):
    return trial if own is None else next((row for row in registrations if row["id"] == own), None)


def value_in(row, column):
    if column.startswith("origins."):
        origins = row.get("origins")
        return origins.get(column[len("origins.") :]) if isinstance(origins, dict) else None
    return row.get(column)


def sum_in(row, column):
    """SHA-256 of the JSON of a value; None where it is prose: a row has another sum of that."""
    digest = row.get(f"{column}_sha256")
    if digest is not None:
        return digest if column in LISTS else None
    return sha256(canonical(value_in(row, column)).encode()).hex()


def check_parent(parent, named, trial):
    if parent is None:
        return None
    need(sha256(parent["statement"].encode()).hex() == named, "parent", "another one than the statement names")
    try:
        statement = check_statement(parent["statement"])
        rows = check_tables(parent["tables"], statement)
    except Failed as failed:
        raise Failed("parent", f"of the parent: {failed}") from None
    need(rows["trials"][0]["canonical_id"] == trial["canonical_id"], "parent", "it has another trial")
    return {**rows, "asOf": statement["asOf"]}


def check_differences(changes, now, before):
    """The changes name each column in which rows of both snapshots differ, with its old value, and no other."""
    for own in [None] + [row["id"] for row in now["registrations"]]:
        old, fresh = (row_of(own, side["trials"][0], side["registrations"]) for side in (before, now))
        if old is None:
            continue
        prefix = "trial-" if own is None else "registration-"
        named = [one for one in changes if one["kind"].startswith(prefix) and one["registration_id"] == own]
        told = sorted((one["kind"], one["field"] or "") for one in named)
        expected = sorted((f"{prefix}changed", column) for column in differing(old, fresh))
        need(told == expected, "differences", f"{own or 'the trial'} differs in {expected}, and the changes say {told}")
        for one in named:
            held = sum_in(old, one["field"])
            need(held is None or held == one["old_sha256"], "differences", f"the parent has another {one['field']}")


def differing(old, fresh):
    """Columns as changes name them; first days follow from their dates."""
    found = []
    for name, value in fresh.items():
        follows = name.endswith("_day") and name[: -len("_day")] + "_date" in fresh
        if name != "origins" and not follows and canonical(old.get(name)) != canonical(value):
            is_digest = name.endswith("_sha256") and name != "payload_sha256"
            found.append(name[: -len("_sha256")] if is_digest else name)
    was, now = old.get("origins"), fresh.get("origins")
    if isinstance(was, dict) and isinstance(now, dict) and was.keys() == now.keys():
        found += [f"origins.{name}" for name in now if canonical(was[name]) != canonical(now[name])]
    return found


def check_log(log, identity):
    origin, size, root = read_checkpoint(text_of(log["checkpoint"], "log"), "log")
    need(size == log["size"], "log", "the checkpoint counts another number")
    reached = root_by_inclusion(log["index"], size, leaf_hash(identity), log["path"])
    need(reached == root, "log", "the identity is not under the checkpoint")
    return origin, size, root


def check_signatures(log, trusted):
    known = (trusted or []) + [read_key(line) for line in ([] if log is None else log["keys"])]
    by = set() if log is None else signers_of(log["checkpoint"], known, "signature")
    need(trusted is None or any(key in by for key in trusted), "signature", "no trusted key has signed")
    return known


def check_consistency(bundle, known, kept, head):
    check, log, consistency = "consistency", bundle["log"], bundle.get("consistency")
    if kept is not None:
        need(head is not None, check, "there is no log")
        need(kept[0] == head[0], check, "another log")
        need(kept[1] <= head[1], check, "the log is shorter than the one that was kept")
        need(kept[1] < head[1] or kept == head, check, "two histories")
    if consistency is None:
        need(kept is None or kept == head, check, "not proven")
        return
    need(log is not None, check, "there is no checkpoint to lead to")
    need(consistency["to"] == log["size"], check, "it leads to another checkpoint")
    _, size, root = read_checkpoint(text_of(consistency["checkpoint"], check), check)
    need(size == consistency["from"], check, "the earlier checkpoint counts another number")
    signers_of(consistency["checkpoint"], known, check)
    need(goes_on(size, root, log["size"], head[2], consistency["path"]), check, "the log does not go on from it")
    need(kept is None or kept[1:] == (size, root), check, "it is not the checkpoint that was kept")


# --- Words ---

NOT_PROVEN = [
    "not proven: that this is the newest snapshot, or the one that is served",
    "not proven: that the trial has no further links",
    "not proven: that a registry sent these records, or when the snapshot was published",
    "not proven: prose and long lists themselves: a row has their SHA-256, against which a text can be held",
]


def shown(line):
    """Of others' words, what could hide or turn text is written out."""
    hidden = ("Cc", "Cf", "Zl", "Zp")
    return "".join(f"\\u{{{ord(one):x}}}" if unicodedata.category(one) in hidden else one for one in line)


def quoted(text):
    cut = "…" if len(text) > SHOWN_CHARACTERS else ""
    return json.dumps(text[:SHOWN_CHARACTERS], ensure_ascii=False) + cut


def value_words(row, column):
    value = value_in(row, column)
    if value is None:
        return "nothing"
    return quoted(value if isinstance(value, str) else canonical(value))


def change_line(change, found):
    column, own = change["field"], change["registration_id"]
    line = f'  {change["kind"]}' + ("" if own is None else f" {own}")
    line += "".join(f" {quoted(change[name])}" for name in ("item", "field") if change[name] is not None)
    fresh = row_of(own, found["trials"][0], found["registrations"])
    if change["kind"] not in COLUMN_CHANGES or fresh is None or f"{column}_sha256" in fresh:
        return line
    before = found["before"]
    old = None if before is None else row_of(own, before["trials"][0], before["registrations"])
    if old is None:
        return f"{line}: now {value_words(fresh, column)}"
    return f"{line}: from {value_words(old, column)} to {value_words(fresh, column)}"


def parent_lines(found):
    """What the statement says of the snapshot before, and what the bundle has of it."""
    parent, changes = found["statement"]["parent"], found["statement"]["changes"]
    changed, before = found["changed"], found["before"]
    if parent is None:
        yield "the statement names no parent"
        return
    if changes is None:
        yield f"the statement names the parent {parent}, and no stored changes"
    else:
        names = f"the statement names the parent {parent}, and the root {changes} of the changes since"
        if changed is None:
            yield f"{names}; these are not in the bundle"
        elif not changed:
            yield f"{names}; none of them is of this trial"
        else:
            yield f"{names}; of this trial are these and no other:"
    for change in changed or []:
        yield change_line(change, found)
    if before is not None:
        yield f'the parent, as of {before["asOf"]}, held the trial too'
        if changed is not None:
            yield "  these changes name each value in which its rows differ, and no other" if changed else "  with equal rows"
            ids = [{row["id"] for row in side["registrations"]} for side in (found, before)]
            for own in sorted(ids[0] ^ ids[1]):
                yield f"  not compared: registration {own}, which the trial had in one of both snapshots only"
    if changed is not None:
        yield (
            "not proven: that the whole table of changes is in its order,"
            " without which more of this trial could stand elsewhere in it"
        )


def report(found):
    """What was proven, as lines; names and titles of the bundle stand in quotation marks."""
    trial, registrations, links = found["trials"][0], found["registrations"], found["links"]
    statement, entry = found["statement"], found["entry"]
    yield f'snapshot {found["identity"]}, as of {statement["asOf"]}'
    if statement["corpus"] == "sample":
        yield "  a synthetic sample: no record of it is a real trial"
    title = f': {json.dumps(trial["title"], ensure_ascii=False)}' if isinstance(trial.get("title"), str) else ""
    yield f'held the trial "{trial["canonical_id"]}"{title}'
    for row in registrations:
        yield f'  registration {row["id"]} ({row["registry"]}), payload SHA-256 {row["payload_sha256"]}'
    for row in links:
        name = f'  link "{row["link_id"]}": {row["from_id"]} to {row["to_id"]}'
        yield f'{name}, {row["verdict"]} by the rule "{row["rule"]}"'
    if found["omitted"] > 0:
        yield f'  the bundle says, and does not prove, that it leaves out {int(found["omitted"])} more links'
    if not is_joined(registrations, links):
        yield f"  {UNJOINED}"
    yield from parent_lines(found)
    if entry is None:
        yield "not in the log of publications: nobody vouches for this snapshot by it"
    else:
        yield f'entry {int(entry[0])} of the log "{entry[1]}", whose checkpoint counts {entry[2]}'
        known = "signed by a key that you trust"
        yield known if found["signed"] else "no key was given (--keys): no signature says whose log it is"
    yield from NOT_PROVEN


# --- Command line ---


def key_lines(text):
    lines = [line.strip() for line in text.split("\n")]
    return [line for line in lines if line != "" and not line.startswith("#")]


def stream():
    for line in sys.stdin:
        asked = json.loads(line)
        content = base64.b64decode(asked.pop("bundle"))
        try:
            answer = "ok" if verify(content, **asked)[0] else "consistent"
        except Failed as failed:
            answer = failed.check
        except Misuse:
            answer = "misuse"
        sys.stdout.write(answer + "\n")
        sys.stdout.flush()


def main(words):
    options = {"--keys": None, "--identity": None, "--checkpoint": None}
    files = []
    required = {"--require-origin": False, "--require-links": False}
    while words:
        word = words.pop(0)
        if word in required:
            required[word] = True
        elif word in options and words:
            options[word] = words.pop(0)
        else:
            files.append(word)
    if len(files) != 1 or files[0].startswith("--"):
        sys.stderr.write(__doc__)
        return 2
    read = lambda path: None if path is None else open(path, encoding="utf-8", newline="").read()  # noqa: E731
    try:
        keys, identity = read(options["--keys"]), options["--identity"]
        proven, found = verify(
            open(files[0], "rb").read(),
            None if keys is None else key_lines(keys),
            None if identity is None else identity.lower(),
            read(options["--checkpoint"]),
            required["--require-origin"],
            required["--require-links"],
        )
    except Failed as failed:
        print(shown(f'NOT PROVEN: check "{failed.check}" failed: {failed}'))
        return 1
    except (Misuse, OSError, UnicodeDecodeError) as error:
        sys.stderr.write(shown(str(error)) + "\n")
        return 2
    # An origin or a title can hold what this terminal cannot write.
    sys.stdout.reconfigure(errors="backslashreplace")
    print("PROVEN" if proven else "CONSISTENT IN ITSELF, origin not proven")
    for line in report(found):
        print(shown(line))
    return 0


if __name__ == "__main__":
    if sys.argv[1:] == ["--stream"]:
        stream()
    else:
        sys.exit(main(sys.argv[1:]))
