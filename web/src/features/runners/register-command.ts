/** The line that makes another machine a runner, as `forgeline runner add` prints it. */

export interface RegisterCommand {
  /** Of the server, as other machines reach it. */
  origin: string;
  token: string;
  /** SHA-256 of the authority's certificate; null where the server offers no runner to fetch. */
  caSum: string | null;
  options: RegisterOptions;
}

/** Empty ones are left out: the machine then says it by itself. */
export interface RegisterOptions {
  /** It ends after one job. */
  oneJob: boolean;
  name: string;
  labels: string;
  capacity: string;
}

export function registerCommand({ origin, token, caSum, options }: RegisterCommand): string {
  const { oneJob, ...words } = options;
  const given = Object.entries(words)
    .filter(([, value]) => value !== "")
    .map(([name, value]) => ` --${name} ${quoted(value)}`)
    .concat(oneJob ? " --one-job" : "")
    .join("");
  return caSum === null
    ? `FORGELINE_RUNNER_TOKEN=${token} forgeline-runner register --url ${origin}${given}`
    : `curl -fsSk ${origin}/downloads/install-runner.sh | FORGELINE_URL=${origin} sh -s -- ${caSum} ${token}${given}`;
}

/** Replaces the program of the runner that is registered on a machine. */
export function updateCommand(origin: string, caSum: string): string {
  return `curl -fsSk ${origin}/downloads/install-runner.sh | FORGELINE_URL=${origin} sh -s -- ${caSum} --update`;
}

/** As one word of a shell. */
function quoted(value: string): string {
  return /^[\w.,:/=@+-]+$/.test(value) ? value : `'${value.replaceAll("'", `'\\''`)}'`;
}

/**
 * Of the certificate by which the new runner will know this server. It comes over the connection that this page came over,
 * so the line can be trusted as much as the page.
 */
export async function readCaSum(): Promise<string | null> {
  const answer = await fetch("/downloads/ca.pem");
  if (!answer.ok) return null;
  const sum = await crypto.subtle.digest("SHA-256", await answer.arrayBuffer());
  return [...new Uint8Array(sum)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
