/** Made by `node scripts/generate-rows.ts` from the statements of sessions.store.ts; do not edit. */

export interface SessionsRows {
  insertSession: {
    id: string;
    method: "passkey" | "password" | "sso";
    ip_address: string;
    user_agent: string;
    created_at: Date;
    last_seen_at: Date;
    expires_at: Date;
  };
  countSessions: {
    total: number;
  };
  listSessions: {
    id: string;
    method: "passkey" | "password" | "sso";
    ip_address: string;
    user_agent: string;
    created_at: Date;
    last_seen_at: Date;
    expires_at: Date;
  };
  findSession: {
    id: string;
    method: "passkey" | "password" | "sso";
    ip_address: string;
    user_agent: string;
    created_at: Date;
    last_seen_at: Date;
    expires_at: Date;
  };
  deleteSession: {
    id: string;
    method: "passkey" | "password" | "sso";
    ip_address: string;
    user_agent: string;
    created_at: Date;
    last_seen_at: Date;
    expires_at: Date;
  };
  deleteByHash: {
    id: string;
    method: "passkey" | "password" | "sso";
    ip_address: string;
    user_agent: string;
    created_at: Date;
    last_seen_at: Date;
    expires_at: Date;
  };
  deleteSessions: {
    id: string;
    method: "passkey" | "password" | "sso";
    ip_address: string;
    user_agent: string;
    created_at: Date;
    last_seen_at: Date;
    expires_at: Date;
  };
  touchSession: never;
}
