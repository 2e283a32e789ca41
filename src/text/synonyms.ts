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
key token
allow permit let authorize approve
accept agree confirm acknowledge
abandon leave quit give
absent away missing
account profile
accountant bookkeeper
activity action event
actual real current
advice recommend suggest tip
advertise promote ad campaign
agreement contract deal
aim goal target objective purpose
airplane plane flight aircraft
album collection gallery
allocate assign distribute
animal pet
announce publish declare broadcast
apartment flat room lodging accommodation
app application program software
apply submit request
area zone region district
arrange organize sort order
arrive come reach
artist band singer musician
assess evaluate rate judge score
assist help support aid
attach append join
attempt try
attribute property field
audience crowd listener follower subscriber
author writer creator
authorize permit grant
automatic automation auto
average mean
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
broken faulty defective
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
change alter modify
chapter section
cheap inexpensive affordable
choose select pick
city town
classify categorize label
clean tidy
climate temperature
clip snippet excerpt
close shut
coin currency
cold cool chilly
collect gather compile accumulate
color colour hue tint
combine merge join unite
command instruction order
comment feedback opinion
commute travel
compare contrast
complain complaint
complete finish done
component part element module
compress zip shrink
computer machine laptop pc workstation
condition state status
conference meeting summit
confirm verify validate
congestion traffic jam
connect link join attach
consumption usage use
contain include hold
content contents text
contribute donate
control manage
conversation talk discussion dialog chat
convert turn change transform
cook bake prepare
coordinate position location
correct fix repair right
cost expense spend price
country nation
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
decrease lower reduce
default standard
defect flaw bug
delay late postpone
delegate assign
deliver ship send
demand request
department team unit
depart leave
dependency requirement
deploy install release
describe explain detail
design layout draft
destination target
detail information
detect discover notice find
device gadget appliance
dial call phone
dictionary glossary
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
doctor physician
domain site
donate give
door entrance gate
draw sketch paint illustrate
drive car
duplicate copy
duration length
earn income revenue
earnings profit result
edge border
education school
effect impact
electricity power energy
element item component
embed insert
employ hire
empty blank clear
enable activate on
encounter meet
encrypt encode
engagement interaction
engineer developer programmer
enlarge expand grow
enroll register sign
enrollment registration
entry record row item line
environment stage
equipment hardware
erase delete
escalate raise
estimate guess forecast predict
evaluate assess
evidence proof
exchange swap trade
execute run
exercise workout training
exhaust empty
expand extend
expense cost
experiment test trial
expire end
explain describe clarify
export download dump
extract pull take
fake false mock
family relative
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
fire dismiss
fitness workout
flag mark toggle
flight plane
floor level
flow stream
flowchart diagram
follow track
food meal dish cuisine
form questionnaire survey
format layout
forum community
foto photo picture
freeze lock stop
frequency rate
friend buddy
fuel gas petrol
fulfill complete satisfy
funds money balance
future forecast
gallery album
gather collect
gift present
globe world earth
goods product merchandise item
govern rule
graph chart network
group collection set
grow increase expand
guard protect secure
guest visitor
guide manual instruction tutorial
hall room
hardware device
headline title heading subject
heat warm
height elevation altitude
hide conceal
hike walk
hint tip
hire recruit rent
holiday vacation leave
home house
host server
hour time
idle inactive
image photo picture pic
import load
improve enhance optimize
incident outage disruption
income revenue earnings salary
increase raise
index catalog
inform notify tell
infrastructure resource
ingredient food
inquiry question query
insight analysis metric
inspect examine check review
install setup deploy
instance copy machine
instruct teach
insure insurance
internet web online
interview conversation
inventory stock
investigate research analyze
invite ask
item product thing entry
job work employment position
join merge enter
journey trip travel
judge rate
key credential
kitchen room
label tag sticker
lamp light bulb
language tongue
laptop computer
latest newest recent
launch start release
layer level
layout design
lead prospect
league team
learn study
leave depart exit
letter mail
level stage
library package
license permit
light lamp
limit maximum quota
link connection reference
liquid fluid
lock secure
lodging hotel
logo image
lower decrease
machine server computer
main primary
maintain service
maintenance downtime
map chart
margin profit
mark flag
market exchange
match game
material resource
maximum most
meal food
measure metric
media photo video audio
medicine drug
menu option
merge combine
metadata information
method way
minimum least
mirror copy
misspell typo
mistake error
mobile phone
mode setting
model type
modify change
monitor screen
name title
narrate speak
near close
neighborhood area
network connection
news headline
nightly daily
node vertex
noise sound
note memo
number figure
nutrition calorie
object item
observe watch
obtain get
occupation job
offer deal
office workplace
offline down
operate run
opinion review comment
opportunity deal
optimize improve
option choice
organization company
original source
outage downtime failure
output result
overview summary
owner holder
pace speed
pack compress
package parcel
page site
paint draw
paragraph block
part piece portion
participant attendee
password passphrase
path route
pause suspend wait
people person user
percentage percent share
perform execute
period time
permission right privilege
personnel staff
phone telephone call
phrase sentence
picture image
piece part
place venue
plan schedule
platform system
playlist mix
point place
policy rule
poll survey
popular hot trending
portrait photo
position location job
possess have own
poster flyer
posting post vacancy
power energy
predict forecast
prefer favorite
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
product item
profit earnings
program application
progress status
project initiative
promote advertise
protect secure
provide give
public open
publication paper article journal
publish post
pulse heart heartbeat
pupil student
push press
quality grade
quantity amount number
query question
queue line
quick fast
quote price
random arbitrary
range interval
rank order
react respond
reading measurement
reason cause
receive get
recent latest
recipe dish
recommend suggest
record entry
recording video audio
recover restore
rectangle box square
reduce decrease
refer link
refresh reload update
region area
register enroll
regular periodic
relationship relation connection edge
release version
remark comment
remind reminder
rent hire
repair fix
repeat again
replica copy
report statement
reputation rating
request ask
require need
research study
reserve book
reset clear
resize scale
resolve solve
resource asset
response answer
restaurant cafe diner
restart reboot
restrict limit
result outcome
retain keep
return back
reveal show
revenue sales
revision version
ride trip
road street
role position
room channel
row line
safe secure
salary wage pay
sale deal
sample example
satellite orbit
scan read
scenario case
schedule timetable calendar
schema structure
science research
score grade
screen display
script code
season time
secret password
section block
select choose
sell sale
semantic meaning
sentence text
separate split
serve provide
session recording
settle pay
setup install
severity priority
shape form
share percentage
sheet page
shift duty
shop store
shortcut link
sign signature
signal alert
silence mute snooze
similar like alike
site website
size dimension
skill ability
sleep rest
slide presentation
smart intelligent
snippet code
social community
software program
song track
sort order
sound audio
source origin
space room
speak talk say
stakeholder owner
statement query
station stop
statistics metric insight
stay remain
step stage
stop halt
storage disk
storm hurricane
story article
stress load
subject topic
submit send
subscribe follow
subtract deduct
suite set
sum total
supervise manage
supplier vendor provider
support help
surface area
survey form
suspend pause deactivate
swap exchange
switch toggle flip
symbol sign
sync synchronize
synopsis summary
table grid
tablet device
tariff rate
tax duty
taxi cab
teach train
team group
technique method
telephone phone
temporary short
term word
terminate end
test experiment
text words
theater cinema
theme topic
thread conversation
ticket case
timeline history
tool utility
trade exchange
traffic visitor
train railway
transaction payment
transfer move send
transform convert
transmit send
transport ship
trash bin
tree hierarchy
trend popular
trigger start
trip journey
trouble problem
truck vehicle
tune song
type kind
typo error
undo revert rollback
unit measure
update refresh
upgrade update
upload put
urgent critical
user person account member
vacancy job posting opening
vacation holiday
validate check
value amount
variable parameter
variant version
vendor supplier
view see
visit session
visitor user guest
vocabulary word
voice speech
volume loudness
vote poll
wage salary
wait pause
wallet purse
warehouse storage inventory
warn alert
wash clean
watch view
waste garbage trash
water liquid
way route
wear clothes
wedding party
weekly regular
weight mass
wireless wifi
withdraw remove
work job task
workflow automation pipeline process
workout exercise
world globe
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
