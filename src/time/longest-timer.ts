/** What a timer can wait; a longer time would be over at once. Unit: milliseconds. */
export const LONGEST_TIMER_MS = 2 ** 31 - 1;
