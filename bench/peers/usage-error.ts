/** A mistake of who typed the command: the message says all. */
export class UsageError extends Error {}
