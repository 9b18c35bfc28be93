/** The settings of where a server listens, and under which addresses it is reached. */
import { z } from "zod";
import { addressRangesSetting } from "../platform/network/address-ranges-setting.ts";
import { parseAddressRanges } from "../platform/network/address-ranges.ts";
import { addressList, httpsUrl, optionalText, port, splitList } from "./setting-kinds.ts";
import { sshSettings, toSshConfig } from "./ssh.ts";

export const listenSettings = {
  FORGELINE_LISTEN: addressList("IP addresses to listen on, comma-separated.").default("127.0.0.1"),
  FORGELINE_HTTPS_PORT: port("Port for HTTPS; 0 picks a free one.").default(8443),
  FORGELINE_HTTP_PORT: port(
    "Port that refuses plain HTTP (or accepts it from trusted proxies); 0 picks a free one.",
  ).optional(),
  ...sshSettings,
  FORGELINE_PUBLIC_URL: httpsUrl(
    "URL under which users reach this server; default `https://localhost:PORT`.",
  ).optional(),
  FORGELINE_JOB_URL: httpsUrl(
    "URL under which jobs in containers reach this server; default: the public port on `host.docker.internal`.",
  ).optional(),
  FORGELINE_TLS_CERT_FILE: optionalText("PEM certificate chain of the HTTPS port."),
  FORGELINE_TLS_KEY_FILE: optionalText("PEM private key of the certificate."),
  FORGELINE_TLS_CA_FILE: optionalText(
    "PEM of the authority that signed the certificate, if it is not a public one; passed to runners and jobs.",
  ),
  FORGELINE_STOP_DELAY_MS: z.coerce
    .number()
    .int()
    .min(0)
    .max(60_000)
    .default(0)
    .describe(
      "How long a server that is told to stop still accepts connections while `/readyz` answers 503, in milliseconds. Set it longer than a load balancer needs to notice, so that it sends no connections to a closed port.",
    ),
  FORGELINE_TRUSTED_PROXIES: addressRangesSetting(
    "Addresses or CIDR ranges (/8 or narrower) of proxies that terminate TLS, comma-separated; only their X-Forwarded-* headers are trusted.",
  ),
  FORGELINE_METRICS_PORT: port("Port of Prometheus /metrics; 0 picks a free one; unset: none.").optional(),
  FORGELINE_METRICS_LISTEN: addressList("Address of the metrics port.").default("127.0.0.1"),
};

type ListenEnvironment = z.infer<z.ZodObject<typeof listenSettings>>;

export function toListening(env: ListenEnvironment) {
  return {
    listen: splitList(env.FORGELINE_LISTEN),
    httpsPort: env.FORGELINE_HTTPS_PORT,
    httpPort: env.FORGELINE_HTTP_PORT,
    ...toSshConfig(env),
    publicUrl: env.FORGELINE_PUBLIC_URL,
    jobUrl: env.FORGELINE_JOB_URL,
    tls: {
      certFile: env.FORGELINE_TLS_CERT_FILE,
      keyFile: env.FORGELINE_TLS_KEY_FILE,
      caFile: env.FORGELINE_TLS_CA_FILE,
    },
    stopDelayMs: env.FORGELINE_STOP_DELAY_MS,
    trustedProxies: parseAddressRanges(env.FORGELINE_TRUSTED_PROXIES).ranges,
    metrics: {
      port: env.FORGELINE_METRICS_PORT,
      listen: splitList(env.FORGELINE_METRICS_LISTEN)[0] ?? "127.0.0.1",
    },
  };
}

export function listenProblems(env: ListenEnvironment): string[] {
  const problems: string[] = [];
  if ((env.FORGELINE_TLS_CERT_FILE === undefined) !== (env.FORGELINE_TLS_KEY_FILE === undefined))
    problems.push("FORGELINE_TLS_CERT_FILE, FORGELINE_TLS_KEY_FILE: set both or none");
  if (env.FORGELINE_TRUSTED_PROXIES !== "" && env.FORGELINE_HTTP_PORT === undefined)
    problems.push("FORGELINE_HTTP_PORT: is required with FORGELINE_TRUSTED_PROXIES");
  return problems;
}
