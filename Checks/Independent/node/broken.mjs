/** A rule of FORMAT.md that a message breaks, and the reason that an opener gives. */
export class Broken extends Error {
  constructor(rule, reason) {
    super(`rule ${rule}: ${reason}`);
    this.rule = rule;
    this.reason = reason;
  }
}

/** Refuses by `rule` unless `condition` holds. */
export function require(condition, rule, reason) {
  if (!condition) throw new Broken(rule, reason);
}
