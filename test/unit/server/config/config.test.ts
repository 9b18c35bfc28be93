import { inspect } from "node:util";
import { expect, test } from "vitest";
import { loadConfig } from "@forgeline/server/config/config.ts";

const least = { FORGELINE_DATABASE_URL: "postgres://a@b/c", FORGELINE_DATA_DIR: "/data" };

test("has defaults for all but the database and the data directory", () => {
  const config = loadConfig(least);
  expect(config).toMatchObject({
    httpsPort: 8443,
    listen: ["127.0.0.1"],
    keys: { file: "/data/instance.key", keyring: "/data/keyring.json" },
  });
  expect(config.objectStore.address).toBe("file:///data/objects");
  expect(config.trustedProxies.isEmpty).toBe(true);
});

test("tells every problem at once", () => {
  const wrong = {
    FORGELINE_DATABASE_URL: "mysql://x",
    FORGELINE_HTTPS_PORT: "99999",
    FORGELINE_LISTEN: "localhost",
    FORGELINE_PUBLIC_URL: "http://x",
    FORGELINE_TRUSTED_PROXIES: "0.0.0.0/0",
    FORGELINE_INBOUND_MAIL_ADDRESS: "Reply <reply@example.org>",
  };
  for (const name of [...Object.keys(wrong), "FORGELINE_DATA_DIR"])
    expect(() => loadConfig(wrong)).toThrow(new RegExp(`${name}: `));
  expect(() => loadConfig(wrong)).toThrow("the configuration has 7 problem(s)");
});

test("shows no secret, however it is printed", () => {
  const config = loadConfig({
    FORGELINE_DATA_DIR: "/data",
    FORGELINE_DATABASE_URL: "postgres://a:canary@b/c",
    FORGELINE_OWNER_DATABASE_URL: "postgres://o:canary@b/c",
    FORGELINE_S3_SECRET_ACCESS_KEY: "canary",
    FORGELINE_ADMIN_PASSWORD: "canary",
  });
  const { url } = config.database;
  const printed = [
    JSON.stringify(config),
    inspect(config, { depth: 9, showHidden: true }),
    // Also what a template literal makes of it.
    String(url),
  ];
  for (const text of printed) {
    expect(text).not.toContain("canary");
    expect(text).toContain("[redacted]");
  }
  expect(url.reveal()).toBe("postgres://a:canary@b/c");
});

test.each([
  [{ FORGELINE_TLS_CERT_FILE: "/c" }, "set both or none"],
  [{ FORGELINE_TRUSTED_PROXIES: "10.0.0.1" }, "FORGELINE_HTTP_PORT"],
  [{ FORGELINE_UNREACHABLE_MS: "5000", FORGELINE_RECLAIM_MS: "5000" }, "must be less"],
])("refuses the combination %j", (env, text) => {
  expect(() => loadConfig({ ...least, ...env })).toThrow(text);
});
