/** How long what LFS issues is valid. */

/** Of a signed address and of a token for LFS. */
export const linkSeconds = 900;

/** An upload that began in time may continue after its address has expired; its reservation lasts as long. */
export const reservationMinutes = 60;

/** An upload's place is free after this time without a sign of life from its server. */
export const uploadLeaseSeconds = 30;

/**
 * An upload that brings less than `minUploadBytes` in this time of waiting is ended, because it blocks the object for others.
 */
export const uploadIdleMs = 30_000;
export const minUploadBytes = 16 * 1024;

/** Drafts grow as they are written, so one that has not changed for this long has no writer. */
export const draftIdleMs = 15 * 60 * 1000;

/** How long an expired reservation is kept: an upload to S3 may outlive its address. */
export const retentionHours = { direct: 24, server: 1 };
