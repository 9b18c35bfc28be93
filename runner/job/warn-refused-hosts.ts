/** Tells which hosts a job asked for in vain, whose names its programs may have made of anything. */
import { secretEncodings } from "../logs/secret-encodings.ts";
import type { PreparedJob } from "./job-context.ts";
import { hiddenValues } from "./job-secrets.ts";
import { masked } from "./masked-copy.ts";
import { warn } from "./warn.ts";

/** After the last step. */
export function warnRefusedHosts({
  environment,
  record,
  spec,
}: Pick<PreparedJob, "environment" | "record" | "spec">): void {
  const refused = environment.refusedHosts?.() ?? [];
  if (refused.length === 0) return;
  const forms = secretEncodings(hiddenValues(spec));
  for (const message of refused)
    warn(record, `Network: ${masked(forms, Buffer.from(message)).toString("utf8")}`);
}
