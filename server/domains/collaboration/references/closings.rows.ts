/** Made by `node scripts/generate-rows.ts` from the statements of closings.store.ts; do not edit. */

export interface ClosingsRows {
  listClosed: {
    owner: string;
    name: string;
    number: number;
    title: string;
    is_open: boolean;
  };
  listClosing: {
    owner: string;
    name: string;
    number: number;
    title: string;
    is_open: boolean;
  };
  findRead: {
    owner: string;
    name: string;
    is_read: boolean;
  };
  keepRead: never;
}
