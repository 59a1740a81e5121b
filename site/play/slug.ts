/** The anchor of a heading. */
export const slugOf = (text: string): string => text.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-");
