/** A rule of section 12 that a payload or a parameter breaks, with the reason, and the member for `malformed`. */
export class FormatFault extends Error {
  constructor(rule, reason, member) {
    super(`rule ${rule}: ${reason} ${member ?? ""}`);
    Object.assign(this, { rule, reason, member });
  }
}

/** An XSalsa20-Poly1305 box that keeps all rules up to its opening, which `node:crypto` cannot do. */
export class NotPossible extends Error {}

/** Refuses by `rule` unless `condition` holds. */
export function require(condition, rule, reason, member) {
  if (!condition) throw new FormatFault(rule, reason, member);
}

/** Whether `run` finds no fault. */
export function keeps(run) {
  try {
    run();
    return true;
  } catch (error) {
    if (error instanceof FormatFault) return false;
    throw error;
  }
}
