/** What a server and its starter tell each other. */

/** First of all. */
export interface StarterHello {
  /** Where the starter listens for the connections that become handles, in Linux's abstract space: there is nothing to remove, whoever dies. */
  name: string;
  /** With what each of these begins, so that no stranger is let in; then its number. */
  secret: string;
}

export interface StartOrder {
  id: number;
  program: string;
  args: readonly string[];
  directory: string;
  env: Readonly<Record<string, string>>;
  /** Of the connection for each of the program's handles 0 to 2; null for one that leads nowhere. */
  handles: readonly (number | null)[];
  niceness: number;
}

export type StartReport =
  | { ready: true }
  | { id: number; pid: number }
  | { id: number; failure: string }
  /** null after a signal's death. */
  | { id: number; exitCode: number | null };

export const abstractAddress = (name: string) => `\0${name}`;

const numberLength = 12;

/** ASCII characters, as many for all numbers. */
export function greeting(secret: string, number: number): string {
  return secret + String(number).padStart(numberLength, "0");
}
