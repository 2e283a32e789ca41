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
ship shipment parcel delivery
stock share ticker
travel trip flight hotel
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
key token
allow permit let authorize approve
accept agree confirm acknowledge
abandon leave quit give
account profile
activity action event
actual real current
advice recommend suggest tip
advertise promote ad campaign
agreement contract deal
aim goal target objective purpose
airplane plane flight aircraft
album collection gallery
allocate assign distribute
announce publish declare broadcast
app application program software
apply submit request
area zone region district
arrange organize sort order
arrive come reach
artist band singer musician
assess evaluate rate judge score
assist help support aid
attach append join
attribute property field
audience crowd listener follower subscriber
author writer creator
authorize permit grant
automatic automation auto
ban block kick expel
basket cart
beep honk horn
begin start initiate commence
behavior conduct habit
bicycle bike ride cycle
blog article post
board panel kanban
boost increase raise improve
boss manager supervisor
box container
break crash fail
bright light illuminate
build compile construct
business company firm organization corporation enterprise
buy purchase acquire order
calculate compute
calm quiet silent mute
camera photo webcam
cancel revoke void annul
car vehicle auto automobile
carrier courier
cash money
category class type kind
cell square
cellphone mobile phone smartphone
certificate diploma
chance opportunity
choose select pick
city town
classify categorize label
clean tidy
climate temperature
close shut
coin currency
collect gather compile accumulate
color colour hue tint
combine merge join unite
command instruction order
comment feedback opinion
commute travel
compare contrast
complete finish done
component part element module
compress zip shrink
computer machine laptop pc workstation
condition state status
conference meeting summit
congestion traffic jam
connect link join attach
consumption usage use
contain include hold
content contents text
control manage
conversation talk discussion dialog chat
convert turn change transform
coordinate position location
correct fix repair right
cost expense spend price
course lesson class
cover lid
credential password login
criteria condition filter
crop cut trim
crowd people
current present now
dashboard overview board
data information
deadline due
debt owe
decline reject refuse
defect flaw bug
delay late postpone
delegate assign
deliver ship send
demand request
department team unit
dependency requirement
deploy install release
describe explain detail
design layout draft
destination target
detail information
detect discover notice find
device gadget appliance
dial call phone
diet nutrition
difference diff gap
digest hash
dine eat meal
dinner meal lunch breakfast supper
disable deactivate off
discount coupon rebate
discover find explore
disk storage drive
dismiss close
display screen monitor
distance length
divide split
domain site
donate give
door entrance gate
draw sketch paint illustrate
drive car
duration length
earnings profit result
edge border
electricity power energy
element item component
embed insert
employ hire
empty blank clear
enable activate on
encounter meet
engagement interaction
engineer developer programmer
enroll register sign
enrollment registration
entry record row item line
environment stage
equipment hardware
estimate guess forecast predict
evidence proof
exchange swap trade
exercise workout training
exhaust empty
experiment test trial
expire end
explain describe clarify
export download dump
extract pull take
fan follower
fare fee price
favorite bookmark star
feature function
fee charge cost
festival event
field column attribute
fill complete
filter rule
finance money
fitness workout
flag mark toggle
floor level
flow stream
flowchart diagram
follow track
food meal dish cuisine
form questionnaire survey
format layout
foto photo picture
freeze lock stop
frequency rate
fulfill complete satisfy
funds money balance
future forecast
gift present
globe world earth
goods product merchandise item
govern rule
graph chart network
group collection set
hardware device
headline title heading subject
height elevation altitude
hire recruit rent
holiday vacation leave
home house
host server
image photo picture pic
import load
improve enhance optimize
incident outage disruption
income revenue earnings salary
index catalog
inform notify tell
infrastructure resource
ingredient food
inquiry question query
insight analysis metric
inspect examine check review
install setup deploy
instance copy machine
internet web online
interview conversation
inventory stock
investigate research analyze
invite ask
item product thing entry
job work employment position
join merge enter
journey trip travel
key credential
label tag sticker
lamp light bulb
language tongue
latest newest recent
launch start release
layer level
lead prospect
league team
letter mail
level stage
limit maximum quota
link connection reference
lock secure
lodging hotel
logo image
machine server computer
main primary
maintain service
maintenance downtime
map chart
margin profit
market exchange
match game
material resource
maximum most
measure metric
media photo video audio
menu option
metadata information
method way
mirror copy
mistake error
mode setting
model type
name title
narrate speak
near close
neighborhood area
network connection
news headline
nightly daily
node vertex
noise sound
number figure
nutrition calorie
object item
occupation job
offer deal
office workplace
offline down
operate run
opinion review comment
opportunity deal
option choice
original source
outage downtime failure
output result
owner holder
pace speed
pack compress
package parcel
page site
paragraph block
part piece portion
participant attendee
path route
pause suspend wait
percentage percent share
period time
permission right privilege
phone telephone call
place venue
playlist mix
point place
policy rule
poll survey
popular hot trending
portrait photo
position location job
possess have own
poster flyer
prepare draft
presentation slide deck talk
preserve keep save
press push click
prevent block
preview thumbnail
previous earlier
print output
procedure process
produce generate
progress status
project initiative
provide give
public open
publication paper article journal
publish post
pulse heart heartbeat
quality grade
quantity amount number
queue line
quote price
random arbitrary
range interval
rank order
react respond
reading measurement
reason cause
receive get
recipe dish
recording video audio
rectangle box square
refer link
refresh reload update
regular periodic
relationship relation connection edge
release version
remind reminder
replica copy
report statement
reputation rating
request ask
research study
reset clear
resize scale
resolve solve
resource asset
restaurant cafe diner
restart reboot
restrict limit
result outcome
return back
reveal show
revenue sales
revision version
ride trip
role position
room channel
salary wage pay
sale deal
sample example
scan read
scenario case
schedule timetable calendar
schema structure
science research
score grade
script code
season time
section block
sell sale
semantic meaning
sentence text
separate split
serve provide
session recording
settle pay
severity priority
shape form
sheet page
shift duty
shop store
shortcut link
sign signature
signal alert
silence mute snooze
similar like alike
size dimension
sleep rest
snippet code
song track
source origin
space room
speak talk say
stakeholder owner
statement query
station stop
statistics metric insight
stay remain
step stage
story article
stress load
subject topic
submit send
suite set
sum total
supervise manage
supplier vendor provider
surface area
suspend pause deactivate
switch toggle flip
symbol sign
sync synchronize
synopsis summary
table grid
tablet device
tariff rate
teach train
team group
technique method
temporary short
term word
text words
theme topic
ticket case
timeline history
traffic visitor
train railway
transaction payment
transfer move send
transmit send
transport ship
trash bin
tree hierarchy
trigger start
trouble problem
typo error
undo revert rollback
unit measure
upgrade update
user person account member
vacancy job posting opening
value amount
variable parameter
variant version
view see
visit session
visitor user guest
voice speech
volume loudness
warehouse storage inventory
wash clean
watch view
waste garbage trash
way route
wedding party
weekly regular
weight mass
withdraw remove
work job task
workflow automation pipeline process
worth value
write compose`;

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
