/** What every error of this package is. No error quotes a key or a text. */
export class SealedPushError extends Error {
  constructor(message) {
    super(message);
    this.name = new.target.name;
  }
}

/** A message that cannot be sealed. */
export class SealError extends SealedPushError {}

/** Keys that are not what they should be. */
export class KeyFileError extends SealedPushError {}

/** A rule of FORMAT.md that something breaks, and the reason; `inner` is the rule within, where a rule asks for others. */
export class Refused extends SealedPushError {
  constructor(rule, reason, detail) {
    super(detail ?? `rule ${rule}: ${reason}`);
    this.rule = rule;
    this.reason = reason;
  }
}

/** Refuses by `rule` unless `condition` holds. */
export function require(condition, rule, reason, detail) {
  if (!condition) throw new Refused(rule, reason, detail);
}
