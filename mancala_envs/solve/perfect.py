"""What perfect play is measured by: the margin of the stores when a game is played to the last seed."""

from ..rules import Rules, make_rules


def to_the_end(rules: Rules) -> Rules:
    """The same game without a stop at the majority, which never changes the winner but cuts the margin off."""
    if not rules.options.get("stop_at_majority", False):
        return rules
    return make_rules(rules.id, **{**rules.options, "stop_at_majority": False})
