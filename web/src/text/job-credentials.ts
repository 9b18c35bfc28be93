/** Words about what a job was given. */
import type { Schemas } from "@forgeline/client/schemas.ts";

type Level = NonNullable<Schemas["JobCredentials"]["secrets"][number]["level"]>;

export const text = {
  given: "What the job was given",
  none: "It was given no secrets and no identity tokens.",
  attempt: (attempt: number) => `attempt ${attempt}`,
  secret: "secret",
  levels: {
    environment: "of the environment",
    repository: "of the repository",
    organization: "of the organization",
    instance: "of the instance",
  } satisfies Record<Level, string>,
  gone: "gone since",
  token: (audience: string) => `identity token for ${audience}`,
} as const;
