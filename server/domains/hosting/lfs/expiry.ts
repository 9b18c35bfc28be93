/** How long what LFS hands out is good for. */

/** Of a signed address and of a token for LFS. */
export const linkSeconds = 900;

/** An upload that began in time may go on past its address; room is kept for it meanwhile. */
export const reservationMinutes = 60;

/** The place of an upload whose server does not say that it lives is free after so long. */
export const uploadLeaseSeconds = 30;

/** An upload that brings less than `minUploadBytes` while it is waited for so long is given up: it keeps its object from others. */
export const uploadIdleMs = 30_000;
export const minUploadBytes = 16 * 1024;

/** Drafts of uploads grow as they are written, so what rested for so long has no writer. */
export const draftIdleMs = 15 * 60 * 1000;

/** What was announced and did not come is kept for so long after its room ran out: an upload to S3 may outlive its address. */
export const retentionHours = { direct: 24, server: 1 };
