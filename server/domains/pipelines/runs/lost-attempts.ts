/** Which attempts a server may take for lost by itself when their runner is silent. */

/**
 * Of the attempt `a`. One that has begun and must not run twice (`rerun_if_lost: false`) stays with its runner until a timeout or
 * a person ends it.
 */
export const endsWhenLostSql = `(a.begun and a.job ->> 'rerunIfLost' = 'false') is not true`;
