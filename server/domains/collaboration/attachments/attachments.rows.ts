/** Made by `node scripts/generate-rows.ts` from the statements of attachments.store.ts; do not edit. */

export interface AttachmentsRows {
  lockPlace: {
    held: number;
  };
  sumOfPlace: {
    bytes: number;
  };
  sumOfUploader: {
    bytes: number;
    count: number;
  };
  insertAttachment: never;
  noteStored: {
    id: string;
    name: string;
    content_type: string;
    size_bytes: number;
    created_at: Date;
  };
  lockUploader: {
    held: number;
  };
  deleteAttachments: never;
  findReadable: {
    id: string;
    name: string;
    content_type: string;
    size_bytes: number;
    created_at: Date;
    place_id: string | null;
    bytes_id: string;
  };
  findPlace: {
    uploader_id: string | null;
    brought_by_id: string | null;
    size_bytes: number;
    repository_id: string | null;
    team_id: string | null;
    repository: string | null;
    team: string | null;
  };
  deleteAttachment: {
    place_id: string | null;
    bytes_id: string;
  };
  sumOfUploaderHere: {
    bytes: number;
  };
  noteUsed: never;
  noteMentioned: never;
  listUnused: {
    id: string;
    stored: boolean;
  };
  findMentioned: {
    id: string;
  };
  deleteUnused: {
    place_id: string | null;
    bytes_id: string;
  };
  markUsed: never;
  listPresent: {
    id: string;
  };
  mentionedBy: {
    id: string | null;
  };
  moveUnshared: {
    id: string;
  };
  copyShared: {
    id: string;
  };
  holdOfTeam: {
    id: string;
    size_bytes: number;
  };
  copyOfTeam: {
    id: string;
  };
}
