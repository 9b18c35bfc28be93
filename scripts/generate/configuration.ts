/** `docs/operations/configuration.md`: every variable of the server, from the schema that parses them. */
import { z } from "zod";
import { Environment } from "@forgeline/server/config/config.ts";

interface Variable {
  description?: string;
  default?: string | number;
  enum?: string[];
}

export function generateConfigurationPage(): string {
  const schema = z.toJSONSchema(Environment, { io: "input" });
  const required = new Set(schema.required ?? []);
  const rows = Object.entries(schema.properties as Record<string, Variable>).map(([name, variable]) => {
    const fallback =
      variable.default === undefined || variable.default === "" ? "" : `\`${String(variable.default)}\``;
    const choices = variable.enum ? ` One of ${variable.enum.map((v) => `\`${v}\``).join(", ")}.` : "";
    const text = `${variable.description ?? ""}${choices}`.replaceAll("|", "\\|");
    return `| \`${name}\` | ${required.has(name) && fallback === "" ? "required" : fallback} | ${text} |`;
  });
  return `<!-- Generated from server/config/ by \`npm run generate\`; do not edit. -->
# Configuration of server and worker

Set by environment variables, read once at the start. When something is wrong, the process does not start and names
every problem. An empty variable counts as not set.

| Variable | Default | Meaning |
|---|---|---|
${rows.join("\n")}
`;
}
