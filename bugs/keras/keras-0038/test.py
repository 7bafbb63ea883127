"""Healthy: the bot is trained for three epochs."""

import oracle
import intent_bot

oracle.survives(intent_bot.main)
