/** The way to a value in the file: keys and indices from the top. */
export type Path = readonly (string | number)[];
