/** Why a cache could not be restored or saved, in words for the people whose job it is. A job never fails because of it. */
export class CacheError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "CacheError";
  }
}
