/**
 * Why a leadership ended: the second argument of `OnStoppedLeading`, and `reason=` in witness
 * lines.
 */

/** The promise ran out before it was renewed. */
export const EXPIRED = "expired";
/** Another record stands under the key. */
export const REPLACED = "replaced";
/** The record is gone. */
export const VANISHED = "vanished";
/** A fence has met a higher term, or this one from another holder. */
export const FENCED = "fenced";
/** The plugin gave it up, or its context went away. */
export const RELEASED = "released";
/** A younger context of the same plugin has taken its configuration. */
export const SUPERSEDED = "superseded";
/** Renewals have failed for longer than RenewDeadline. */
export const ERROR = "error";
