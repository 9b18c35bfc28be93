/** The versions of outside programs that Forgeline starts; nowhere else are they named. */

export const temporalVersion = "1.32.0";

/**
 * Official release archives by `process.platform-process.arch`. A download whose SHA-256 differs is not used.
 * Platforms without an entry build from the Go module instead.
 */
export const temporalArchives: Readonly<Record<string, { url: string; sha256: string }>> = {
  "linux-x64": {
    url: `https://github.com/temporalio/temporal/releases/download/v${temporalVersion}/temporal_${temporalVersion}_linux_amd64.tar.gz`,
    sha256: "ca1ccbb1d1545b68eb4523de463c51ffcd80f7e0bccd14a9b2c56fc7e389e792",
  },
};

/** The Go module's checksums are verified by `go` itself against the public checksum database. */
export const temporalGoPackages = [
  `go.temporal.io/server/cmd/server@v${temporalVersion}`,
  `go.temporal.io/server/cmd/tools/sql@v${temporalVersion}`,
] as const;

/** Temporal's module needs this Go; named in the message when `go` is missing. */
export const requiredGoVersion = "1.26";

/** An S3 server for tests only. */
export const versitygwGoPackage = "github.com/versity/versitygw/cmd/versitygw@v1.8.0";
