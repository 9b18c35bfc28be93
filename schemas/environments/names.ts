/** Names of environments: parts of addresses, so without slashes; upper and lower case are the same. */
export const environmentNamePattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;
/** Of one repository. */
export const maxEnvironments = 100;
export const maxEnvironmentUrlChars = 2_000;
