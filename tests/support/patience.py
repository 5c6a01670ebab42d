"""How long a test waits for what must come. Beside busy loops on every core a moment takes seconds; nothing waits in vain."""

PATIENCE_S = 120.0
