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

/**
 * What Temporal is built of where there is no archive, with the checksums of `go.sum`: the first has the programs, and large
 * parts of both are left out. All other modules are pinned in `temporal/build/go.mod` and `go.sum`.
 */
export const temporalModules = {
  server: {
    path: "go.temporal.io/server",
    version: `v${temporalVersion}`,
    sum: "h1:JQoqsVREaGc8vcuDNfuRlySiV3tVi81XUOVC9LeL/1Y=",
  },
  "auto-scaled-workers": {
    path: "go.temporal.io/auto-scaled-workers",
    version: "v0.2.0-1.32.0.158.0",
    sum: "h1:l+Rj0cIHMC2VB/DC+axrLLnZ2ISTgUpUw8TMiP4B9F8=",
  },
} as const;

/** `temporal/build/go.mod` needs this Go; named in the message when `go` is missing. */
export const requiredGoVersion = "1.26";

/** An S3 server for tests only. */
export const versitygwGoPackage = "github.com/versity/versitygw/cmd/versitygw@v1.8.0";
