/** The custom entry that a rewound session ends with. Its `before`: where the branch ends without the prompt it ends with. */
export const REWIND = "loopwright.rewind";
