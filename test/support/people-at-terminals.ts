/** People of one API server, each with the command line: `as(person, "org", "list")`. */
import { startApiServer, type ApiServer, type ApiServerOptions, type TestPerson } from "./api-server.ts";
import { commandLine, type CommandLine, type CommandResult } from "./command-line.ts";

export interface PeopleAtTerminals {
  server: ApiServer;
  cli: CommandLine;
  as(person: TestPerson, ...args: string[]): Promise<CommandResult>;
  /** What a command that must succeed printed. */
  told(person: TestPerson, ...args: string[]): Promise<string>;
  /** The value that a command printed with `--json`. */
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into arbitrary answers
  json(person: TestPerson, ...args: string[]): Promise<any>;
  stop(): Promise<void>;
}

export async function peopleAtTerminals(options: ApiServerOptions = {}): Promise<PeopleAtTerminals> {
  const server = await startApiServer(options);
  const cli = await commandLine({ FORGELINE_URL: server.webUrl, FORGELINE_CA_FILE: server.caFile });
  const as: PeopleAtTerminals["as"] = ({ token }, ...args) => cli.call(args, { FORGELINE_TOKEN: token });
  const told: PeopleAtTerminals["told"] = async (person, ...args) => {
    const { code, stdout, stderr } = await as(person, ...args);
    if (code !== 0) throw new Error(`forgeline ${args.join(" ")} ended with ${code}: ${stderr}`);
    return stdout;
  };
  return {
    server,
    cli,
    as,
    told,
    json: async (person, ...args) => JSON.parse(await told(person, ...args, "--json")) as unknown,
    async stop() {
      await cli.remove();
      await server.stop();
    },
  };
}
