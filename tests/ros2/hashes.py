"""Type hashes of ROS (REP-2016), computed from our IDL: RIHS01 is SHA-256 over a description of the type as JSON."""

import hashlib
import json
import re

# Ids of type_description_interfaces/FieldType.
NESTED, ARRAY, SEQUENCE = 1, 48, 144
IDS = {"int8": 2, "uint8": 3, "int32": 6, "uint32": 7, "float": 10, "double": 11, "boolean": 15, "octet": 16, "string": 17}


def _field(line):
    kind, name = line.rsplit(None, 1)
    capacity = offset = 0
    if array := re.match(r"(\w+)\[(\d+)\]", name):
        name, capacity, offset = array[1], int(array[2]), ARRAY
    if sequence := re.match(r"sequence<(.*)>", kind):
        kind, offset = sequence[1], SEQUENCE
    nested = "" if kind in IDS else "{0}/{1}/{3}".format(*kind.split("::"))[:-1]
    return {"name": name, "type": {"type_id": IDS.get(kind, NESTED) + offset, "capacity": capacity,
                                   "string_capacity": 0, "nested_type_name": nested}}


def _types(text):
    """Fields by type: {"nav_msgs/msg/Path": [..]}."""
    types, package = {}, None
    for module, name, body in re.findall(r"module (\w+) \{ module msg|@final struct (\w+)_ \{(.*?)\};", text, re.S):
        package = module or package
        if name:
            types[f"{package}/msg/{name}"] = [_field(line.strip()) for line in body.split(";") if line.strip()]
    return types


def _referenced(types, name, found):
    for field in types[name]:
        other = field["type"]["nested_type_name"]
        if other and other not in found:
            found.add(other)
            _referenced(types, other, found)
    return sorted(found)


def of_idl(path):
    """The hash of each type, by its name on DDS: {"nav_msgs::msg::dds_::Path_": "RIHS01_..."}."""
    with open(path) as idl:
        types = _types(re.sub(r"//[^\n]*", "", idl.read()))
    hashes = {}
    for name in types:
        told = {"type_description": {"type_name": name, "fields": types[name]}, "referenced_type_descriptions": [
            {"type_name": other, "fields": types[other]} for other in _referenced(types, name, set())]}
        package, _, short = name.split("/")
        hashes[f"{package}::msg::dds_::{short}_"] = "RIHS01_" + hashlib.sha256(json.dumps(told).encode()).hexdigest()
    return hashes
