/**
 * `register-runner --for ADMINISTRATOR --name NAME --capacity JOBS`: registers a runner of the instance and prints what its
 * `runner.json` needs as one line of JSON. For whoever may read the server's settings, such as `npm start`: it needs no
 * token, and so spends no person's limit.
 */
import { parseArgs } from "node:util";
import type { Config } from "../config/config.ts";
import { createContainer } from "../container.ts";
import { systemActor } from "../platform/access/actor.ts";

export async function registerRunner(config: Config, args: string[]): Promise<void> {
  const text = { type: "string" } as const;
  const { values } = parseArgs({
    args,
    options: { for: text, name: text, capacity: { ...text, default: "1" } },
  });
  if (!values.for || !values.name) throw new Error("--for and --name are needed");
  const container = await createContainer(config, { role: "command" });
  try {
    const { id: userId, username } = await container.accounts.users.getByName(values.for);
    const actor = { ...systemActor, userId, username };
    const { token } = await container.pipelines.runners.createRegistrationToken(actor, null, {
      uses: 1,
      expires_in_minutes: 1,
    });
    const registered = await container.pipelines.runners.register(systemActor, {
      token,
      name: values.name,
      labels: [],
      capacity: Number(values.capacity),
      one_job: false,
    });
    process.stdout.write(
      `${JSON.stringify({ ...registered, connect_url: container.platform.addresses.runnerUrl })}\n`,
    );
  } finally {
    await container.close();
  }
}
