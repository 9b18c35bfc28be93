/** What a server and its starter tell each other. */
export interface StartOrder {
  id: number;
  program: string;
  args: readonly string[];
  directory: string;
  env: Readonly<Record<string, string>>;
  /** For each of the program's handles 0 to 2 what its connection says first; null for one that leads nowhere. */
  keys: readonly (string | null)[];
}

export type StartReport =
  | { id: number; pid: number }
  | { id: number; failure: string }
  /** null after a signal's death. */
  | { id: number; exitCode: number | null };

/** Every key has this many ASCII characters. */
export const keyLength = 32;

/** In Linux's abstract space: there is nothing to remove, whoever dies. The keys are what keeps strangers out. */
export const abstractAddress = (name: string) => `\0${name}`;
