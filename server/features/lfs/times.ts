/** How long what LFS hands out is good for. */

/** Of a signed address and of a token for LFS. */
export const linkSeconds = 900;

/** An upload that began in time may go on past its address; room is kept for it meanwhile. */
export const reservationMinutes = 60;

/** The server renews the room of an upload that goes through it. */
export const renewEveryMs = 10 * 60 * 1000;

/** An upload that brings nothing for so long is given up. */
export const uploadIdleMs = 60_000;

/** Drafts of uploads grow as they are written, so what rested for so long has no writer. */
export const draftIdleMs = 15 * 60 * 1000;
