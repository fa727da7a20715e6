"""The columns of ColorScroller's table `scrolls`, and what of them a model is given. docs/colorscroller.md explains each."""

# pandas' types, which keep what is missing apart from 0 and from false.
TYPES = {
    "timestamp": "float64", "card_index": "int64", "blocks_viewed": "int64", "unique_blocks_seen": "int64", "unlock_count": "int64",
    "reward_drought": "int64", "velocity": "float64", "velocity_trend": "float64", "session_length": "float64",
    "active_scroll_seconds": "float64", "time_of_day_bucket": "int64", "rarity_shown": "string", "p_churn": "float64", "model": "string",
    "margin": "float64", "eligible": "boolean", "held_out": "boolean", "action": "string", "propensity": "float64", "chosen": "string",
    "churn": "boolean", "after_damage": "boolean", "ended": "string", "station": "string", "run": "int64", "session": "string",
}

# What a model is given, in the order in which the engine gives it.
INPUTS = ["velocity", "velocity_trend", "reward_drought", "session_length", "active_scroll_seconds", "engagement_depth", "blocks_viewed",
          "unique_blocks_seen", "unlock_count", "time_of_day_bucket", "rarity_shown"]

RARITIES = {"common": 1, "rare": 2, "special": 3}
ACTIONS = ["none", "moderate", "high"]

# How a session ends when its visitor leaves. Any other end is not the visitor's, so nobody knows when they would have left.
LEAVING = ["idle", "request"]

# The label says that a visitor leaves within this many cards, this card among them.
REACH = 5

# The log-odds of .55 and .70, from which on there is a moderate and a high intervention.
MODERATE, HIGH = 0.20067069546215124, 0.8472978603872037
