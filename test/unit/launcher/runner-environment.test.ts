/** What the local runner, which executes what others wrote, gets of the settings of an instance. */
import { expect, it } from "vitest";
import { loadLauncherConfig } from "@forgeline/launcher/config.ts";
import { inheritedEnvironment, runnerEnvironment } from "@forgeline/launcher/server-processes.ts";

it("holds no secret of the server, and all else that begins with FORGELINE_", () => {
  const secrets = {
    FORGELINE_KEY: "AAAA",
    FORGELINE_KEY_FILE: "/safe/instance.key",
    FORGELINE_KEY_PROGRAM: "/usr/local/bin/kms",
    FORGELINE_SMTP_URL: "smtps://user:password@mail.example.com",
    FORGELINE_S3_SECRET_ACCESS_KEY: "secret",
    OTEL_EXPORTER_OTLP_ENDPOINT: "https://collector.example.com",
    OTEL_EXPORTER_OTLP_HEADERS: "authorization=Bearer%20secret",
  };
  const config = loadLauncherConfig({
    PATH: "/bin",
    HOME: "/root",
    FORGELINE_RUNNER_CAPACITY: "3",
    ...secrets,
    VAULT_TOKEN: "secret",
  });
  expect(inheritedEnvironment(config)).toMatchObject(secrets);
  const given = runnerEnvironment(config);
  expect(given).toMatchObject({ PATH: "/bin", FORGELINE_RUNNER_CAPACITY: "3" });
  for (const name of [...Object.keys(secrets), "VAULT_TOKEN"]) expect(given).not.toHaveProperty(name);
});
