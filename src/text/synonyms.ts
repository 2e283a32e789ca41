// Words that mean nearly the same to those who give tools, notes and instructions their names. One group a line.
import { wordsIn } from "./words.js";

const GROUPS = `
delete remove erase drop destroy discard trash unlink purge clear forget
create make add new insert compose draft
find search look lookup query locate discover seek
list show enumerate display view browse print
read get fetch load retrieve obtain download
write save store put persist upload
update change modify edit alter patch amend adjust set
rename move relocate
send post deliver notify share forward
mail email inbox message
run execute launch invoke perform call
start begin open launch
stop end kill cancel abort halt terminate close
file document doc attachment
directory folder dir
repository repo codebase
issue ticket bug problem defect
task todo chore assignment
pull merge
database db sql table postgres sqlite mysql
config configuration configure setting preference option
password secret credential passphrase
login auth authentication authenticate signin
person user people member contact
customer client buyer
colleague employee staff teammate team
image picture photo screenshot png graphic
meeting appointment event calendar
schedule plan reserve book booking
money payment pay charge
invoice bill receipt
price cost fee
refund reimburse
weather forecast temperature rain
web website site url link browser
page webpage
chat channel conversation thread slack
summary summarize digest overview abstract
map route direction navigate
place location address
deploy release publish ship rollout
test check verify validate
error failure crash exception fault
log trace audit
history past earlier
copy duplicate clone
compare diff difference
convert transform export
shell command terminal bash
note remember memory fact memo
time date day clock hour
video clip movie film
audio sound music song
translate translation language
code source program
function method routine
package dependency library module
branch fork
comment reply remark annotation
label tag category
count number total amount
chart graph plot diagram
buy purchase order
ship shipment parcel delivery
stock share ticker
travel trip flight hotel
car vehicle
answer response reply
question ask
permission access grant allow
block deny forbid refuse
watch monitor observe track
alert alarm warning
backup snapshot archive
restore recover undo revert
size large big
fast quick speed performance
key token`;

let meanings: ReadonlyMap<string, readonly number[]> | undefined;

function readGroups(): ReadonlyMap<string, readonly number[]> {
  const read = new Map<string, number[]>();
  for (const [index, group] of GROUPS.trim().split("\n").entries()) {
    for (const word of wordsIn(group)) read.set(word, [...(read.get(word) ?? []), index]);
  }
  return read;
}

/** Whether two words, in their compared forms, are in one group. */
export function isSynonym(word: string, other: string): boolean {
  meanings ??= readGroups();
  const theirs = meanings.get(other);
  return theirs !== undefined && (meanings.get(word)?.some((group) => theirs.includes(group)) ?? false);
}
