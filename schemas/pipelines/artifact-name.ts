/** How an artifact may be called: its name is also that of the file that people download. */
export const artifactNamePattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/;
export const artifactNameRule = "1 to 128 letters, digits, ., _ and -, beginning with a letter or digit";
