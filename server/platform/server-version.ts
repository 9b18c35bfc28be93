/** The version of this server, told by `/meta` and compared with that of runners. */
export const serverVersion = "0.1.0";
