from typing import Any

class FileDescriptor: ...
class OneofDescriptor: ...

class Descriptor:
    name: str
    full_name: str
    fields_by_name: dict[str, FieldDescriptor]
    _concrete_class: Any

class FieldDescriptor:
    TYPE_UINT32: int
    TYPE_FIXED32: int
    TYPE_UINT64: int
    TYPE_FIXED64: int
    TYPE_INT32: int
    TYPE_SINT32: int
    TYPE_INT64: int
    TYPE_SINT64: int
    TYPE_ENUM: int
    TYPE_DOUBLE: int
    TYPE_FLOAT: int
    TYPE_BOOL: int
    TYPE_STRING: int
    TYPE_BYTES: int
    LABEL_REPEATED: int
    name: str
    type: int
    label: int
    message_type: Descriptor
    containing_oneof: OneofDescriptor | None
