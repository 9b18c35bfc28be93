/** Of hashing a password: next to nothing, since tests hash hundreds and none is worth guessing. */
export const passwordCost = { memoryCost: 64, timeCost: 1, parallelism: 1 };
