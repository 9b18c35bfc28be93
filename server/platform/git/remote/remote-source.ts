/** A repository on somebody else's server, and how to identify there. */

export interface RemoteSource {
  protocol: "https" | "ssh" | "git";
  /** As Git takes it, without credentials. */
  url: string;
  /** In lower case; an IPv6 address without brackets. */
  host: string;
  /** Null: the protocol's own. */
  port: number | null;
}

export interface RemoteLogin {
  /** For `https`. */
  basic: { username: string; password: string } | null;
  /** For `ssh`: a private key in OpenSSH's format. */
  privateKey: string | null;
  /** For `ssh`: the only host key to accept; null takes the one that is shown. */
  hostKey: string | null;
}

/** One way to one repository. */
export interface RemoteAccess {
  source: RemoteSource;
  login: RemoteLogin;
  /** `push` may also read. */
  use: "fetch" | "push";
}
