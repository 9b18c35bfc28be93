/** Made by `node scripts/generate-rows.ts` from the statements of announcements.store.ts; do not edit. */

export interface AnnouncementsRows {
  insertAnnouncement: {
    id: string;
    message: string;
    level: "info" | "warning";
    starts_at: Date;
    ends_at: Date | null;
    created_at: Date;
    updated_at: Date;
  };
  listAnnouncements: {
    id: string;
    message: string;
    level: "info" | "warning";
    starts_at: Date;
    ends_at: Date | null;
    created_at: Date;
    updated_at: Date;
  };
  listCurrent: {
    id: string;
    message: string;
    level: "info" | "warning";
    starts_at: Date;
    ends_at: Date | null;
    created_at: Date;
    updated_at: Date;
  };
  findAnnouncement: {
    id: string;
    message: string;
    level: "info" | "warning";
    starts_at: Date;
    ends_at: Date | null;
    created_at: Date;
    updated_at: Date;
  };
  deleteAnnouncement: {
    id: string;
    message: string;
    level: "info" | "warning";
    starts_at: Date;
    ends_at: Date | null;
    created_at: Date;
    updated_at: Date;
  };
}
