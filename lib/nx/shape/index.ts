/**
 * Functions about shapes.
 */
export * from "./layout";
export * from "./pad";
export * from "./query";
