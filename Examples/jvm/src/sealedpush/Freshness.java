package sealedpush;

/** What a replay memory says of a message, by section 7. Only {@code FIRST} has consequences. */
public enum Freshness { FIRST, DUPLICATE, NOT_CHECKED }
