/** What goes through LFS. Bytes that clients move straight to or from the object store are the store's to count. */
import { Counter, Gauge, type Metrics } from "../../../platform/metrics.ts";

export type LfsMetrics = ReturnType<typeof createLfsMetrics>;

export function createLfsMetrics(registry: Metrics) {
  const registers = [registry];
  return {
    objects: new Counter({
      name: "forgeline_lfs_objects_total",
      help: "Git LFS objects by what became of them: stored, refused, or handed out.",
      labelNames: ["outcome"] as const,
      registers,
    }),
    bytes: new Counter({
      name: "forgeline_lfs_bytes_total",
      help: "Bytes of Git LFS objects that went through this process.",
      labelNames: ["direction"] as const,
      registers,
    }),
    uploads: new Gauge({
      name: "forgeline_lfs_uploads",
      help: "Uploads of Git LFS objects through this process now.",
      registers,
    }),
    uploadsRefused: new Counter({
      name: "forgeline_lfs_uploads_refused_total",
      help: "Uploads of Git LFS objects told to come back: the same object was on its way, or the owner had too many.",
      labelNames: ["why"] as const,
      registers,
    }),
  };
}
