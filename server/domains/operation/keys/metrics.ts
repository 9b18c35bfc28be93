/** What metrics tell of the instance's keys. */
import { createGauge } from "../../../platform/declared-metrics.ts";
import type { InstanceKeys } from "../../../platform/keys/instance-keys.ts";
import type { Metrics } from "../../../platform/metrics.ts";

export function observeKeys(registry: Metrics, keys: InstanceKeys): void {
  createGauge(registry, "forgeline_data_keys", (gauge) => gauge.set(keys.all().length));
  createGauge(registry, "forgeline_data_key_age_seconds", (gauge) => {
    const createdAtMs = keys.current().createdAt.getTime();
    if (createdAtMs > 0) gauge.set((Date.now() - createdAtMs) / 1000);
  });
  createGauge(registry, "forgeline_keyring_readable", (gauge) => gauge.set(keys.isReadable() ? 1 : 0));
}
