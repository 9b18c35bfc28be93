/** The runner's own version, told in `hello`. */
export const runnerVersion = "0.1.0";
