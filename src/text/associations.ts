// What people say when they want something, and the words in which tools, notes and instructions speak about it. General
// knowledge, one subject a line: the words it is described in, then what leads to them. It works in this direction only.
// A phrase of several words counts as a whole.
import { allWordFormsIn, wordsIn } from "./words.js";

/** `described in: said as, said as, …` */
const ASSOCIATIONS = `
refund: money back, give back, get back what, return the money, reimbursement, chargeback
charge payment pay: owe, bill me, credit card, debit, cash, paid, paying, wire, checkout
invoice overdue due: not paid, unpaid, late payer, outstanding, owe us, dunning
invoice bill: what we owe, bill for, billing
subscription: plan, membership, renew, monthly fee, recurring, tier, upgrade, downgrade
price cost: how much, expensive, cheap, cheaper, euros, dollars, worth, fee, rate, tariff, budget
cost usage spend: spending, spent on cloud, cloud bill, spent
discount coupon: voucher, promo, percent off, sale code, cheaper, promotion, special offer
order: purchase, bought, buy, sold, sales
customer: client, buyer, shopper, purchaser, patron
dispute evidence: contested, contest, chargeback, fraud claim
balance account: how much money, funds, money do we have, available money
inventory stock level: on the shelf, in stock, sold out, units left, warehouse, more of this item, run out of
shipment tracking fulfill order: parcel, package arrive, deliver, sent out, courier, shipping
checkout cart abandoned: basket, gave up buying, left without buying, did not finish buying
product catalog item: goods, merchandise, article, ware
profit loss report: earn, make money, margin, revenue, how well did we do, bottom line
expense: spent, receipt, business lunch, paid for, out of pocket
financials statement balance income: earnings, revenue, profit, annual report
stock quote price: share, shares, ticker, nasdaq, stock market, trading at
cryptocurrency crypto coin price: bitcoin, ethereum, token, btc, eth
exchange rate currency: euro, euros, dollar, dollars, pound sterling, yen, franc, usd, eur, gbp, foreign money, convert money
historical prices: price last year, over the past, chart of the share, in the past
payslip salary: pay check, paycheck, wage, wages, earn, salary, compensation
time off vacation leave: holiday, holidays, day off, days off, pto, sick leave, absence, free day
employee directory: staff, coworker, colleague, works here, work here, personnel, team members
signature sign envelope: contract, agreement, sign off by, signed by, signatory, e-sign, countersign
event calendar: appointment, meeting, agenda, schedule, lunch, dinner, party, birthday, block time, diary, monday, tuesday, wednesday, thursday, friday, saturday, sunday, tomorrow, weekend, next week, invite, invitation
create event meeting calendar: set up a call, arrange, book lunch, plan a meeting, put in my calendar, block out
free busy available: has time, have time, is free, availability, when can, slot, open slot, busy
update event: reschedule, postpone, push back, move the meeting, bring forward, shift
delete event: call off, cancel the meeting, cancel my appointment
respond invitation accept decline: rsvp, say yes to, turn down, attend, coming
reminder remind: remember me, don't forget, do not forget, nudge, ping me, later today
alarm time: wake me, wake up, get up
timezone time zone convert: in tokyo, in new york, over there, local time, pm, am, o'clock, abroad
current time: what time, clock, hour is it
online meeting: video call, conference, teams, zoom, webinar, remote meeting
recording: recorded, taped, playback
participants: attendees, who came, who joined, who took part, showed up
transcript captions: what was said, what do they say, spoken, subtitles, minutes, word for word
vacation reply responder status: out of office, away message, auto reply, autoreply, on leave, ooo, absent, holiday message
email mail send: write to, drop a line, letter, e-mail, correspondence, newsletter
email inbox message: post, mailbox, mails
draft: unsent, prepare a mail, write but not send, without sending, not yet send
forward: pass along, pass on, send on to
reply respond: answer, get back to, write back, respond
label mark: flag, star, tag, categorize, unread
mark read label modify: unread, seen, star
filter incoming rule: automatically sort, sort automatically, whenever a mail, junk, spam, newsletters
attachment download: enclosed, attached
campaign email: mass mailing, newsletter, mailing, marketing blast, announcement to all customers
subscriber audience: mailing list, sign up for the newsletter, recipients, opt in, opt out
sms message: text message, text him, text her, text the, mobile, cell, phone number, cellphone, handset
call phone: ring, dial, telephone, give a ring, phone up
contact: address book, phone book, person we know, rolodex, acquaintance, business card
message channel post: tell the team, tell everyone, announce, let the team know, chat, room, write in, notify the team, inform
channel: room, chat room, group chat, group
thread reply: answer in the conversation, respond below
reaction emoji: thumbs up, like, smile, heart, react, clap
channel history messages: what did people write, catch up, been said, discussed, missed, conversation so far
archive channel: close down, retire, nobody uses
invite: add people, bring in, let in, join
pin: stick, keep on top, highlight
kick member: throw out, remove from the server, ban, expel, troll
role member assign: moderator, promote, admin rights, grant rights
status: away, busy, what I am doing
user profile: who is, about a person, job title, their name
post tweet: publish on social, tweet, share with followers
followers: fans, audience, follow
hot posts: trending, popular, what is talked about, viral
post comments: what people think, discussion, opinions, feedback
weather forecast: rain, umbrella, snow, sunny, storm, cloudy, wind, windy, warm outside, cold outside, freezing, sunshine, weekend weather, jacket, beach
weather alerts warning: hurricane, tornado, flood, severe
current weather temperature: hot outside, how warm, degrees, outside now
air quality: smog, pollution, breathe, pollen, dust, fumes
directions route: way to, get from, get to, navigate, how to reach, walk to, drive to, path to
distance travel time: how far, how long, drive, commute, journey, miles, kilometers, by car, by bike
geocode address coordinates: latitude, longitude, gps, street, position of, where exactly, location of
coordinates address reverse: which street, what street, standing at, point on the map
places search location business: nearby, near me, around here, close by, shop, cafe, pharmacy, gas station, hotel, restaurant
place details opening hours: open until, when does it open, closing time, ratings, reviews, phone of the
elevation: altitude, height above, how high, hill, mountain
flight: plane, fly, airline, airport, airfare, plane ticket, jet
flight status: delayed, on time, landed, departure, take off
hotel: room for the night, stay, overnight, accommodation, lodging, motel, place to sleep
listing airbnb: apartment, holiday home, flat, rental, cottage
train connection: rail, railway, station, by train, subway
rental car rent: hire, vehicle for, pick up a car
recipe ingredients: cook, dish, meal, bake, what can I make, kitchen, eggs, dinner idea
restaurant cuisine: eat, eat out, pizza, sushi, italian food, food nearby, dine, dinner
book table reserve restaurant: reservation, dinner for, seats at, table for, reserve dinner
nutrition calories: fattening, healthy, protein, vitamins, carbs, sugar, fat
workout log: exercise, training, ran, jogging, gym, run this morning, swim, bike ride
sleep: slept, last night, tired, bed, insomnia, rest
heart rate: pulse, bpm, heartbeat
doctor health: medical, sick, symptom
light turn: lamp, bright, dark, dim, bulb, illuminate, switch on
turn off: switch off, put out, power down, shut off
thermostat temperature: cold, warm, heat, heating, cool down, chilly, degrees, freezing in, climate, too hot, radiator
lock door: secure, front entrance, bolt, shut the house, close up
unlock door: let in, open the entrance, let the cleaner in, let him in
cover blinds garage curtains open: shade, shutters, window covering, sunlight in, gate
vacuum cleaner: clean the floor, dust, hoover, sweep, dirty floor, mop
scene activate: movie night, mood, atmosphere, ambience
automation trigger: routine, smart home rule
camera image: see who is at, look at the porch, surveillance, front yard, outside the house
energy consumption usage: electricity, power did, kilowatt, watt, kwh, power bill
alarm arm: burglar, intruder, leaving the house, protect the house, guard
sensor state entity: is the window open, did I leave, is it on
media play speaker: put on, watch on tv, television, living room tv
playback play music: listen, song, put on, stop the music, next song, skip
volume: louder, quieter, loud, quiet, noise level, turn up, turn down, mute
playlist: mix of songs, collection of songs, mixtape, compile songs
queue track: play next, after this song, up next
playing track now: what song, this song, name of the song
search tracks artists albums: band, singer, musician, record
video: clip, movie, film, footage, mp4, recording
trim video cut: shorten, only the first, clip out, cut out, snippet, crop
convert video format: mp4, avi, mkv, webm, gif, transcode, encode
extract audio: sound from, soundtrack, mp3, sound of the movie
subtitles: captions, text under, text to the movie
thumbnail frame: preview picture, cover picture, still, poster
video statistics views: popular, watched, clicks, how many people watched
speech text transcribe: dictation, dictate, what was said, write down what, write out, spoken words, voice memo, recording to text, type up
text speech audio: read aloud, read out, say aloud, narrate, spoken version, voice over, listen to this text
voice clone: imitate, sound like me, my own voice, copy my voice
background noise: hiss, clean up the sound, noisy, hum
image generate: draw, paint, illustration, picture of, sketch, artwork, logo, drawing
edit image: retouch, photoshop, remove from the photo, change the picture
render scene: 3d picture, produce the picture
object 3d: cube, sphere, mesh, model in space, box to the scene
translate language: french, german, spanish, english, italian, japanese, chinese, portuguese, dutch, polish, russian, korean, arabic, in another language, say this in, foreign
rephrase style tone: reword, nicer, politely, polite, friendlier, more formal, rewrite, paraphrase, sound better, in other words
summarize summary: short version, gist, in brief, tldr, key points, main points, boil down
calculate expression: compute, how much is, plus, times, percent of, sum, arithmetic, multiply, divided, square root, add up
solve equation: find x, unknown, algebra
convert unit measurement: mile, miles, kilometer, kilometers, meter, inch, inches, feet, foot, kilogram, ounce, celsius, fahrenheit, liter, gallon, cups, pounds
plot chart graph: draw the curve, visualize, diagram, curve, picture the numbers, bar chart, pie
forecast time series: predict, future values, projection, extrapolate, next quarter
merge pdf: join, one document, combine the documents, put together, into a single
split pdf: pages apart, separate, single pages, pull pages
extract text: get the words out, words in, wording, copy the text
recognize text ocr scanned: photo of a page, picture of a letter, scan, scanned, handwriting
sign certificate: digital signature, seal
export format: save as, as word, docx, as a pdf, turn into, other format
document: letter, paper, report, memo, contract, write-up
document text append: add a paragraph, write at the end, add to the end
find replace text: every occurrence, throughout, swap the word, rename everywhere
spreadsheet sheet: excel, table of numbers, cells, csv, workbook, columns
cells update spreadsheet: enter the number, fill in the cell, correct the value
rows append: new line at the end, another line, add a line, add an entry, new entry
chart sheet: diagram, visualize, graph from the numbers
presentation slides: deck, talk, powerpoint, keynote, pitch
share file permission: let see, give access, access to, let read, collaborate, can open
permissions access: who can see, who can read, who may, can open, visible to
trash delete remove drop: throw away, bin, get rid, wipe, garbage
folder directory: place for files, put files in
upload file: put online, store in the cloud, put on, hand in, send up
move file: relocate, put elsewhere, another place, rename, call it
note: write down, jot, jot down, memo, idea, thought, remember that
append note: add to my note, jot down, diary, journal
daily note: today's page, journal, diary
task: to do, todo, to-do, chore, errand, something to do
complete task: tick off, check off, finished, done with, is done, mark as done, accomplished
subtask: smaller steps, break down, part of the task, steps
dependencies task: must wait, before it can start, prerequisite, blocked by, comes first
card: sticky, post-it, kanban
card move list: drag, next column, another column
checklist: steps, items to tick
list cards board: column, kanban, lane
board: kanban, scrum, wall
issue: ticket, bug, defect, story, problem, work item, complaint, something is broken
create issue: report a bug, file a bug, open a ticket, raise, file a ticket, log a bug, report a problem
assign issue: give to, hand over, take care of, responsible, put on it, owner
transition issue status: start working, in progress, set to done, move to done, close the ticket, mark as done
worklog time: hours, spent on, spent working, track my time, time sheet, timesheet, book time
link issue: related, duplicate of, blocks, connected, belongs together, depends
epic: big feature, larger goal, initiative, theme
sprint cycle: iteration, two weeks, current work, next iteration
milestone: release goal, target, deadline
project update status: how is it going, progress, on track, health
comment: remark, opinion, feedback, reply below, respond on the, annotate, note on
page wiki: article, documentation, knowledge base, manual, intranet, handbook, write-up
page create space: write up, new article, document this
query database filter: entries where, rows where, look for entries, only those
block append page: paragraph, add a section, add text
properties page: attributes, metadata
pull request: pr, changes proposed, patch, code change, proposed change, contribution
merge request: mr, changes proposed, pull request
merge pull request: land, ship the pr, bring into main, integrate
review pull request: approve, lgtm, feedback on the code, look over, request changes
files changed diff: touched, modified files, what is different, which sources, what changed, alters
checks status: green, passing, ci passed, tests pass, failing checks
repository: repo, codebase, source code, project on github
fork repository: own copy, copy of the project
star repository: bookmark, favorite, like the project
file contents: source of, look inside, show the code, what is in the file, view
branch: line of development, feature branch
create branch: start a line, new branch for, branch off
commits log: history, what happened in the code, recent changes, who changed, latest changes, past changes
blame line changed: who wrote, author of, who is responsible for this line, guilty
stash uncommitted changes: set aside, shelve, park, put away
unstage reset: take back from the index, remove from the index, undo add
staged commit changes: about to commit, going in the next commit, index
unstaged working changes: not added, have I changed, edited so far
commit record: save my work, check in, snapshot
switch branches checkout: go to another branch, change branch, jump to
push files commit: send several, upload code
code search: where is the function, usages, grep, where do we use, occurrences
workflow run: pipeline, ci, action, build, continuous integration
trigger workflow dispatch: start the build, kick off, launch the pipeline, run the pipeline
logs job: why did the build fail, build output, console output, error in the build
rerun failed retry: again, once more, try again, restart the build
cancel pipeline: stop the build, abort
flaky tests: sometimes fail, fail only sometimes, unreliable, random failure, intermittent
release: version, publish, ship, rollout, shipped
scanning alerts security: vulnerable, leak, leaked, insecure, exposed
secret: password, credential, api key, token, leaked
vulnerabilities dependencies scan: unsafe, cve, insecure libraries, outdated packages, security hole, holes, exploits
code security scan: insecure code, injection, dangerous patterns
code quality: smells, clean code, technical debt, lint, maintainability
gist: snippet, share some code, paste
documentation library: how to use, api reference, manual, docs, guide for, hooks, framework
package npm: module, dependency, library
versions package: latest release, newest, which releases
bucket object storage: stored file, blob, cloud file, s3
presigned url temporary: download link, link that expires, share link
instance server: machine, vm, box, virtual machine, computer in the cloud, host
start instances: boot, bring up, power on, wake
stop instances: shut down, power off, turn off the server
reboot instances: restart the machine, restart the server
security group rules inbound: firewall, open ports, port open, ports
function invoke lambda: serverless, call the function
deploy code function: publish, new version, ship, roll out, go live
deploy: go live, ship, publish, put online, release, roll out
deployment promote production: live, make it live, go live with, switch traffic
deployment logs: why did the deploy fail
environment variable: env, setting of the deployment, configuration value
domain: web address, website name, dns, site name
domain availability: still free, can I buy, taken
dns record: point the domain, subdomain, cname, name server
whois registered domain: who owns, owner of the site, behind the site
certificate tls: ssl, https, padlock, cert
validity expiry certificate: run out, expire, valid until
cache purge: stale, clear, old version is shown, refresh the site
role policy attach: give rights, allow the service, permission to the service, grant
access key: credentials, login for programs, new key, api key
users iam list: accounts, who has an account
queue message: job, enqueue, put in line
purge queue: empty, clear out, drop everything waiting
publish topic: broadcast, notify subscribers, fan out
log events: what happened on, output of the, trace, error messages, printing, prints
alarm metric threshold: warn me when, notify when, too high, exceeds, tell me when
metrics query: cpu, load, latency, requests per second, numbers over time, performance
cost usage account: bill, spend, spending, how much do we pay for the cloud, expenses of the cloud
stack template create: infrastructure, provision, set up the infrastructure
drift: changed by hand, differ, differs from, out of sync
cluster pods: kubernetes, k8s, containers
scale replicas: more copies, more instances, bigger, more capacity, grow, handle more traffic
rollout undo restart: roll back, go back to the previous version, redeploy, previous release
describe resource: details of, why is it pending, what is wrong with
apply manifest: yaml, declare, deploy the manifest
exec command container: inside the container, shell into, run inside, go into
forward port: reach the service from my laptop, tunnel, localhost
drain node cordon: take out of service, maintenance of the node, empty the node, evacuate
cpu memory consumption: how much ram, resource usage, hungry, eats, using up
helm chart install: package for the cluster
container: docker, image instance
run container: spin up, start up, launch
logs: printing, prints, output, stdout, what does it print, trace
image build: dockerfile, package the app
image pull: download the image, fetch the image
volume: persistent disk, storage for the container
network: connect containers
remote host command: on the server, other machine, log in to the machine, over ssh
copy remote file: transfer, upload to the server, scp
sql query: select, database question, ask the database, rows from, count rows
explain plan query: slow select, why is slow, takes so long, so slow, execution
index recommend: speed up, faster database, make faster, optimize
slowest queries: takes long, take the longest, expensive statements, heavy, hog
health database: is the database ok, in good shape, vacuum
table columns schema: fields, what does the table look like, structure, layout
insert rows: add data, put records, fill the table, store records
create table: new relation, place to store
migration apply: schema change, alter the database, change the structure
schema collection: structure, what do the documents look like, shape
delete documents filter: remove entries, clean out, get rid of entries
update documents filter: change entries, change every
aggregate: group by, totals, average, sum per
drop database: remove everything, wipe the database
key value: cached, cache entry, stored under
time live key: expire, forget after, keep only for, lifetime
scan keys: which entries are cached, what keys
snapshot database: backup, copy of the database, save the state
records list: entries, rows, lines
record create: new entry, add entry, add a row
field create: new column, another column, extra column
mappings fields: types of the fields
semantic similar retrieval: meaning, alike, related information, resembles
entities graph knowledge: what do you know, remember about, memory, known facts
observations add: remember, new fact, learned, keep in mind
relations: connection, connected, how are related, link between
navigate url: go to, visit, open the site, open the page, browse
back navigate: previous page, go back
click: press the button, push the button, tap, hit the button
fill form: enter my details, sign up form, registration, fill in, complete the form
type text: enter, write into, key in, input field
select option dropdown: choose, pick from
hover: mouse over, point at
drag drop: pull, move the element
screenshot: picture of the page, capture, snap, what does it look like, how it looks, photo of the screen
console messages: javascript errors, errors on the page, log of the browser
network requests: calls the page makes, api calls, traffic, what does it load
evaluate javascript: run a script on the page, execute script
dialog handle: popup, alert box, confirm box, ok button
wait text: until it appears, until it loads, loaded, ready
resize window: phone size, mobile view, smaller screen, width
tab: window, another page
scrape content: get the text of a page, grab, harvest, pull data
crawl website: every page, all pages, whole site, entire site, following links, links deep
map website urls: all links, site map, sitemap, which pages
extract structured: pull the prices, into fields, data from pages
fetch url internet: read the page, read this link, web page text, download the page
web search: google, look up online, look on the internet, find online, online, internet
news: headlines, latest, happening, current events, press
image search: pictures of, photos of
paper: publication, scientific, study, research, article in science, preprint
article: encyclopedia, background on, explain who
local businesses: plumber, dentist, near, nearby, hairdresser
design: mockup, layout, ui, sketch, artboard, prototype, look and feel
variable styles color: colour, colours, palette, fonts, design tokens
screenshot node: picture of the design, preview
template design: flyer, poster, banner, invitation card
resize design: for instagram, other size, other dimensions, square version
component code: implemented, which react component, source of this button
error issue stack trace: crash, exception, bug in production, broke, went wrong, failing
root cause analyze: why, reason, find out why, debug, diagnose
resolve issue: close, fixed, done, solved
monitor: check, watch, alert, alarm
mute monitor: silence, stop alerting, shut up, quiet, noisy alert
downtime schedule: maintenance, planned work, window without alerts
incident: outage, emergency, something broke, down, site is down
acknowledge incident: working on it, I am on it, saw it, got it, taking it
resolve incident: outage is over, back up, all good again, fixed
responders: more people to help, help with the outage, more hands, call in
oncall call schedule: tonight, duty, responsible, pager, who do I call, shift, who is responsible
override schedule: swap shift, take over the shift, cover for, stand in
dashboard: overview, charts, board with graphs
annotation dashboard: mark the time, marker, note on the graph
synthetic uptime check: is the site up, reachable, ping the site, from several countries
spans traces: where is the time spent, slow requests, latency breakdown
hosts infrastructure: machines, servers do we have
contact create: new person, new lead, add someone
deal: sale, opportunity, negotiation
deal stage: won, lost, close the sale, move forward, pipeline
lead: prospect, interested company, potential customer
convert lead: became a customer, qualified
engagement log call: spoke with, talked to, wrote down the call, had a meeting with
companies: organizations, firms, businesses
report: numbers, statistics, overview, kpi
support ticket: help request, customer problem, complaint, user asks
merge tickets: duplicate, combine, same problem, put together
priority ticket: urgent, important, escalate
help center articles: faq, self service, how-to for customers
conversations: chats, talks, dialogs
visitors active: on the site, people online, on our website, right now
analytics report: visits, page views, traffic, audience
form responses: survey, answers, questionnaire, poll, what did people answer, filled in
create form: survey, questionnaire, poll, sign-up sheet
write file: save text, put into a file, store on disk, overwrite
read file: open, look into, content of, what does it say, show me
edit file: replace a line, change a line, fix the typo, patch, tweak
search files: locate, where is the file, find all, all python files
directory listing: what is in this folder, files are there, contents of the folder, which files
tree directory: structure, nested, hierarchy, layout of the project
file size metadata: how big, when was it changed, last modified, how large
sizes directory: biggest, takes up space, disk space, largest
multiple files: several, all of them, a bunch, at once
think step problem: reason, ponder, work out, reflect
password breach: hacked, pwned, leaked, compromised, stolen
create new: fresh, brand new, begin, found, establish, compose, author, initialize, introduce, spin up, from scratch, put up
add: include, put in, attach, insert, supplement, throw in, enter, join
update change: alter, correct, shift, set to, raise, lower, increase, decrease, bump, revise, fix, amend, refresh, adapt, make urgent
delete remove: get rid, obsolete, wipe, throw out, take out, clear, drop, eliminate, no longer need, not need any more, old, outdated, tear down, destroy, take down
list: all the, give me every, what are the, what exist, exist, overview, how many
get retrieve: show me, fetch, give me, look at, pull up, bring up, see the, details of, what is in, read out
search find: look for, hunt, spot, anything about, is there a, where is, where are, by name, track down, any about
upload file: drop into, drop in, hand in, send in, put up, add a file
download: save locally, fetch the latest, get onto my machine, keep a copy, pull down
move: shift, drag, transfer, relocate, bring over, push to, put into
status transition: ready for, in review, in progress, blocked, done, reopen, shift
status state: going on, where are we, how far, has gone, what about
send: deliver, dispatch, transmit, shoot, hand over
start: launch, boot, begin, kick off, fire up, power up, turn on, switch on
stop: halt, power down, shut down, end, switch off, turn off, kill, quit, pause
restart reboot: bounce, power cycle, start again, reload
pause: suspend, hold on, interrupt, freeze, for a while
cancel: stop their, no longer want, abort, call off, quit, end their, unsubscribe, terminate
execute run: open a shell, run inside, do, perform, try out, fire
share access permission: able to see, give access, open to, let edit, allowed
snapshot backup: back up, before the upgrade, safety copy, copy of, save the state, safe
restore: bring back, recover, undo, get back
schedule: at a time, every day, later, each week, regularly, recurring
assign: give it to, put in charge, take over
approve: ok, agree, accept, sign off, confirm, green light
reject: refuse, turn down, decline, deny
merge: combine, unite, join, put together, bring together, fold into
split: separate, divide, apart, just pages, cut up
compare diff: what changed, difference, different, versus
count number: how many, total
limit threshold: above, below, more than, goes above, exceeds, over 80
alarm alert notify: warn, firing, tell me when, let me know when, raise an alarm
alerts monitors: firing, going off, red, triggered
verify check: make sure, is it true, confirm, whether
detailed details: more about, tell me about, everything about, specifics
history: earlier, before, past, so far, yesterday, today, recently, was discussed, previous
recent latest: last, newest, most recent, just now, yesterday, today
draft: don't send, not send, prepare, later
test: try, exercise, verify
explain analyze: why, how come, reason, understand
suggest recommend: which would be good, propose, ideas, advice, what should
statistics metrics: how popular, how often, numbers, figures, percentage, trend
popular views statistics: popular, watched, trending
graph relations entities: works for, knows, belongs to, is part of, connected
entities: person, people I know, fact that
transcript recording meeting: video of the call, video of yesterday, call recording
video recording: call yesterday, meeting yesterday
message send: tell, write to, inform, let know
email: boss, letter, newsletters, inbox, correspondence
filter: always put, automatically, separate place, rule
contact phone address: number and address, phone number of, save number, get hold of
event calendar: dentist, visit, doctor's, party, wedding, concert, interview, exam, trip, class, when is my, what is on
respond event: will come, will be there, coming to, attend
find meeting time: suits, slot, everyone can, all of us
directions: on foot, by bike, by bus, walk, airport, get to
place opening hours details: bakery, open until, until when, closes, closed
places business: bakery, pharmacy, supermarket, hairdresser, museum, bank, park, school, gym, bar, cinema
air quality: smoggy, polluted
weather: sunny, rainy, outside, degrees, temperatures
dns record: www, ip, subdomain, point the, points to
url link: http, https, links, address of the page, web address
javascript evaluate: js, script in the page
console: javascript errors, js errors, errors on this page
key keyboard press: hit enter, enter key, escape, shortcut, arrow
type text element: write in the box, search box, into the box, into the field, input box
element: button, box, field, icon, menu
issue: defect, bug, problem, unresolved, broken, fault, still open, fault report
pull request: propose, proposed, inclusion, contribution, branch for inclusion, my change
pull request status checks: ci gone green, is it green, ready to merge, mergeable
pipeline build: builds, ci, last builds
repository: codebase, code base, source tree
snippet gist: paste somewhere, share code
stage add commit: include in the commit, next commit, prepare for commit
release version: published, most recent version, latest version, which version
workspace server app slack: chat, team chat, marketing chat
sprint: iteration, iterations, scrum
cycle sprint: iteration, iterations, upcoming
page document: doc, notes page, article, writing
database rows query: rows, tracker, table entries, entries due
depend dependency: has to wait, wait until, only after, first, before that, blocked
price product: charge, a month, per month, plan, pro plan
invoice reminder unpaid: chase, not settled, settle, have not paid, late
coupon discount: loyal, percent off
security group: ports, open port, who can connect
cost usage: spend, spent, amazon, last month
instances: machines, servers, staging, vms
deployment: yesterday's version, previous version, live version
promote production deployment: live one, make it live, preview
container: nginx, sandboxed app
image registry: docker hub, ubuntu
cpu memory: ram, load, eats, processor
schemas: namespaces, layout of the database
query statement: statements, sql, longest
insert: store, put into the table, save into
edge function: serverless, handler
aggregate: average, per country, grouped, sums
key cache: cache entry, cached, entries start with
expire time live: forget after, after an hour, keep for, ttl
index indices: collections, search engine
logs: printed, timeouts, services printed, output of the services
incident acknowledge: looking at the outage, on it, aware
incident: outage, down, breakage
responders: people to help, help with the outage
call note engagement: spoke with, talked, phoned
lead convert customer: prospect, real customer
ticket: support case, case, request of a customer
help article: how-to, guide, instructions
fulfill order: parcel left, left the warehouse, sent off, shipped
call phone: phone the, ring up
kick ban: spammer, throw out, troll
playlist: songs for, put together songs
light brightness: brighter, darker, dimmer, lights
cover blinds curtains: daylight, sunlight, bedroom window
alarm arm: burglars, leaving the house, protect
size disk directory: space on my disk, taking up, taking space, big files, full disk
financials company: profitable, profit, earnings of, revenue of
expense record: taxi, paid for, lunch, spent on
design: mockup, mock-up, screen layout
code design: into react, into html, implement
comment design post: feedback on the mockup, feedback on the design
voice: my voice, synthetic
pages pdf: pages 3, page range, first pages
aws: amazon, s3, ec2
kubernetes kubectl: k8s, cluster, workload, pod
elasticsearch: elastic
mongodb: mongo
postgres: postgresql, pg
git: version control
github: octocat, gh
google drive: gdrive
gmail email: google mail
stripe: payments
twitter tweet: x post
home assistant: smart home
apple: iphone, ipad, macbook, imessage, siri
observation add: note down, jot down, keep in mind
research: thorough report, from many sources, in depth
context: pointing at, switch me to
milestone: target, how far along, release goal
network requests: page load, loaded from
query source: which entries
long running: takes a while, take a while
firewall rule: from which addresses, allowed addresses
simulator: virtual iphone, virtual phone, virtual device
process output: program said, program printed, program say
restaurant food: hungry, meal, lunch spot, takeaway, delivery food
movie film: cinema, showtimes, watch tonight, netflix
book library: novel, author, isbn, read next
game: play a game, steam, chess, score, player
sport match team: football, soccer, basketball, league, fixture, result of the match, standings, who won
job vacancy: hiring, employment, position open, career, apply for work, recruit
candidate applicant: cv, resume, interview
course lesson: learn, study, class, lecture, training, tutorial
property house listing: real estate, buy a home, flats for rent, mortgage
loan mortgage interest: borrow, lend, installment
insurance policy claim: coverage, accident, insured
law legal case: lawyer, court, statute, regulation
patient medical record: doctor, diagnosis, treatment, hospital
drug medication: medicine, pill, dosage, side effects, prescription
parcel shipment track: where is my package, delivery status
address validate: valid address, postal, zip code, postcode
charging station: electric car, charge my car
traffic: jam, congestion
earthquake: quake, tremor, seismic
sunrise sunset: daylight, dusk, dawn
moon planet space: astronomy, stars, nasa, orbit
population country statistics: inhabitants, how many people live, demographics
holiday public: bank holiday, days off in the country
dictionary definition: meaning of the word, what does the word mean, define
qr barcode: scan code, square code
hash checksum: fingerprint, md5, sha
random: dice, coin flip, pick any, lottery
password generate: strong password, new password
uuid identifier: unique id
compress archive zip: pack, unpack, tar, smaller file, unzip
regex pattern: regular expression
json parse: format json, pretty print
markdown html: convert to html, markup
diagram mermaid: flowchart, sequence diagram, uml
screenshot desktop: my screen
clipboard: copied, paste buffer
printer print: on paper, hard copy
battery: charge level
wifi network: wireless, internet connection, hotspot
process: task manager, running programs, hung program
cron job schedule: every night, periodically, each hour
feature flag: toggle, roll out to some users, experiment switch
experiment test variant: a/b test
funnel conversion event: drop off, users convert
session replay: watch what users did
crash report: app crashed
translation string locale: localization, i18n
app store review: ratings of the app
push notification: alert on the phone
survey response: nps, questionnaire
video generate: make a clip, animate
music generate: compose a tune, jingle
embedding vector: similarity
model list: which llm, available ai models
dataset: training data, data set
notebook cell: jupyter, ipynb
train model: fine-tune, fit
blockchain transaction wallet: on chain, ethereum address, send crypto
smart contract: solidity
pull request: prs, pull requests waiting, contributions
merge request: mrs
create issue: report that, report in, is broken, does not work, stopped working, complain, something wrong
title subject name: headline, heading, caption, called
description body: wording, details text
commits: checked in, check-ins, pushed, committed lately
unstaged changes: local edits, edits have i made, my edits, work in progress, modified locally
staged changes: about to commit, going to commit
log history: recent history, timeline, past events
team: squad, squads, group of people, crew, department
oncall schedule: rota, roster, on duty, standby, stand-by, who covers
project update status: stakeholders, coming along, progress of, how far along
trace spans: follow one request, request through, path of a request, which service is slow
synthetic uptime check locations: around the globe, homepage responds, is reachable, responds, respond from, up and running
update event: o'clock, later slot, stand-up to, another time, earlier
event meeting: stand-up, standup, sync, retro, kickoff, catch-up
index create: lookups faster, make lookups, faster lookups, quicker
subscription: pays us every month, every month, yearly, annual, auto-renew
move rename file: rename, new name, called differently
price: cheaper, dearer, more expensive, reprice
plot function: y =, curve of, sin, cosine, parabola
download: get me the pdf, get me, grab a copy
copy remote host: onto the remote server, remote server, onto the server, another machine, to the machine
invoice create: bill for the work, charge for the work, bill acme
snapshot page accessibility: elements does the page have, what is on the page, structure of the page
fetch url content: blog post, web article, this link, webpage, article online
post message: let know, tell people, tell the others, give a shout
project issue tracker: backlog, ticket, story
members users list: who is in, who belongs, everyone in, people in, colleagues
customers list: clients registered, our clients
environment variable: settings of the hosted app, config of the app, secret of the app
query items: look up the items, partition key
variable design token: tokens
release deployment: shipped, went out
error issue: thrown, throws, errors since, exceptions since, failing since
unsubscribe remove: no longer on the list, take off the list
duplicate: twice, same again
assignee user: who works on, working on it, whose
overdue due date: late, behind, past the deadline, deadline
priority: most important, urgent first, top
export data: get out, out of the system, dump
import data: load into, bring in, feed
archive: put away, old stuff, keep but hide
watch follow: keep an eye on, subscribe to
enable: activate, turn on the feature, switch on the feature
validate check: is it valid, well-formed, correct
connect: hook up, link up, attach to, pair with
logout session: sign out
login authenticate: sign in, log in
password reset: forgot my password, locked out
sum total: altogether, in all
sort order: rank, arrange, alphabetical
group: cluster together, bucket by
upcoming next: coming up, soon, in the next days, ahead
past previous: earlier, last time
archive zip: bundle up
thumbnail image: small picture, preview of the
crop image resize: smaller picture, cut the edges, shrink the photo
background image remove edit: background out of, without background, transparent
album photo: pictures from the trip, gallery
photo image: selfie, snapshot of, pic
audio file: sound file, mp3, wav, podcast
speaker media: hi-fi, stereo, soundbar
washing machine appliance: laundry, dishwasher, oven
temperature humidity sensor: damp, how warm is it in, how cold is it in
door window: shut, ajar, left open
device switch turn: plug, socket, fan, heater, coffee machine
comment: respond to, answer, findings, say something about, react to
reply thread: answer under, respond under
commit details: what did commit, in that commit
checkout switch branch: go over to, work on the branch
container run: bring up, start a, fire up
columns table schema describe retrieve: what columns, which columns, what fields
back previous page: return to, page before, page i was on
wait: hold on until, until it is gone, has gone, spinner, loading
scrape page content: one web page, single page, this page
read email: open the mail, open the letter, what does the mail say
oncall users: have to wake, production fails, wake up whom
help center articles: explain to our users, for our users
inventory adjust: subtract, broke, damaged, units, counted
transcript captions: spoken words, words of the video, talk on youtube
lock door: nobody can get into, get into the house, keep people out
read text file: ini, txt, log file, readme, json file, yaml file, settings file
create directory: make a place for, place for files
delete entities: forget everything about, forget about
speech text audio: out loud, aloud, voice
earnings calendar: results, quarterly results, report its results, reports results
time off request: would like to have free, have friday free, take a day, away from work
status working tree: have i touched, touched since, modified since
pin message: at the top, stays visible, keep at the top
properties update: set the status of the entry, status to done
code search: every use, all uses, uses of, usages of, used, defined, callers, implementation of
file repository contents: readme, license file, changelog, source file
unstage reset: out of the staging area, from the staging area
stage add: to the staging area, into the staging area
commit record: save my work, staged work, save the changes, with a message
cache purge edge: refresh the cdn, cdn, still see the old, old version, outdated version
cache delete key: invalidate, flush, evict
event calendar list: have on today, on today, today's schedule, my day, my week, agenda, what is coming
attachment download: came with, enclosed with, attached to
attach upload file: cv, resume, add my photo
camera image: who is at, at the front door, at the door, doorbell, on the porch
thumbnail: preview image, cover image, still frame
stock price quote: share price, share's, stock's
historical: during, between, since 2, over the years, in the past
hotel: nights, two nights, room in, room for, suite, guesthouse
flight status: is late, arrive on time, gate, terminal
config map resource delete: config map, secret object, namespace
subscription update: bigger plan, smaller plan, other plan, switch plan
override schedule oncall: takes my shift, on-call shift, my shift, swap
structured extract: names and prices, pull names, pull product, into a table, as data
state entity: closed, is open, is it on, is on, is off, running, left on
invite user channel: add carol, add to the room, add to the channel, bring into
search emails: the mail with, mail about, mail from, find the mail, which mail
search messages: talk about, talked about, mentioned, did we say, did someone say, discussion about
search pages: anything in, notes about, notes on
search files: where did i put, where did i save, can't find, cannot find
list issues user assigned: on my plate, my work, my tickets, my tasks, assigned to me, for me
search issues: all bugs, high-priority bugs, bugs assigned, open bugs, which bugs
comment video youtube: viewers write, below the video
log events cloudwatch: lambda wrote, wrote to
describe resource: does not start, not start, stuck, keeps crashing
add item checklist: to the list
browser click: press the, buy button, push, submit button
members guild: server members
balance: in our account, left in the account
write post message: say in, say to
customer update: change the address of the customer
profile image: avatar, profile picture
quota limit usage: how much is left, used up, remaining
role user permission: make admin, promote, privileges, admin
token secret key rotate: renew the key, new secret
job queue: background work, worker
branch delete: remove the branch, clean up branches
branch protect: rule for main
tag release create: mark the version, cut a release
conflict merge: cannot be merged, clash
review comments: what did the reviewers say, reviewer remarks
approve review: accept the change, looks good
test run: run the suite, unit tests, run the tests
lint format: code style, beautify
dependency update: outdated, bump
schema validate: conforms
table join: together with
backup restore: go back to a saved state
replication lag: behind the primary
connection pool: too many connections
lock: deadlock, waiting transaction
user create database: grant login
network firewall: block an address, allow traffic
load balancer: distribute traffic
registry: where images are kept
volume mount: attach storage
service mesh: between services
ingress route: reachable from outside
certificate renew: about to expire
budget alert: spending limit
tag resource: label the machines
region: data center, location of the servers
message pin: keep visible
message schedule send: send later, tomorrow at
message delete: take back what I wrote
message edit: correct what I wrote
presence status: online, offline, available
emoji: smiley
file share link: link to the file, public link
version history: previous versions, who edited, earlier version
comment resolve: done with the remark
suggest edit: propose a change
cell format: bold, color of the cell
formula: compute in the sheet
sheet tab create: another sheet
slide add: another page of the deck, next slide
page move parent: under another page
template: start from, boilerplate, ready-made
database view: filtered list
relation link: connect the two, belongs to
shopping list: groceries, milk, buy bread
expense report: what did I spend, spending by category
budget: how much may I spend
card block: lost my card, stolen card
tax invoice: vat, receipt for
contact update: new number, moved, changed her
company: employer, firm, account
pipeline deals: what will we sell, forecast of sales
campaign statistics: opened the mail, open rate, clicked
segment audience: group of users, who to send
ad advertisement: ads, promote, sponsored
keyword ranking seo: found on google, rank higher
uptime: is the service up, down right now
uv index sun: sunscreen, sunburn, tan
sunset: get dark, gets dark, daylight left
ride: taxi, cab, lift to, get me to, driver
reservation cancel: cannot come, can't come, not come to
order status: groceries arrive, when will my, where is my order, order arrive
title film series: thriller, comedy, something to watch, movie tonight
watchlist: watch later, movie for later
book highlights: passages, marked in the book
streak: days in a row, in a row
portfolio positions: investments, my stocks, holdings
candidate application: applied for, applicant, applicants
court decision: ruling, rulings, judgment, verdict, precedent
process running: programs are running, frozen, force it to quit, not responding, hangs
print document: paper copies, on paper
eaten calories diary: did i eat, ate, how much did i eat
class course training: session, yoga, lesson
resize machine size: more memory, bigger machine, more cpu
ip address: fixed address, static address
error rate query metrics: error rate, failure rate
feature flag: enable the new, switch the new, turn on the new
deactivate user: left the company, former employee, offboard
factor authentication: mfa, two-factor, 2fa, second factor
recording session: how visitors used, how users used, what visitors did
people search: engineers who work, who works at, employees of
job posting: vacancies, jobs for
activity workout: my runs, my rides, runs of
shipping rate: send a package, send a parcel, postage
album photo: wedding pictures, collect the pictures
alert incident: page the team, page somebody
diagram: boxes and arrows, sketch the architecture`;

let associations: ReadonlyMap<string, readonly string[]> | undefined;

function readAssociations(): ReadonlyMap<string, readonly string[]> {
  const read = new Map<string, Set<string>>();
  for (const line of ASSOCIATIONS.trim().split("\n")) {
    const [described = "", said = ""] = line.split(": ");
    for (const phrase of said.split(",")) {
      const key = phraseKey(allWordFormsIn(phrase).map(({ stem }) => stem));
      const words = read.get(key) ?? new Set();
      read.set(key, words);
      for (const word of wordsIn(described)) words.add(word);
    }
  }
  return new Map([...read].map(([key, words]) => [key, [...words]]));
}

/** The longest phrase there is. Unit: words. */
export const MAX_PHRASE_WORDS = 6;

function phraseKey(stems: readonly string[]): string {
  return stems.join(" ");
}

/** The words that a phrase, in the compared forms of its words, leads to; nothing for most. */
export function wordsAssociatedWith(stems: readonly string[]): readonly string[] | undefined {
  associations ??= readAssociations();
  return associations.get(phraseKey(stems));
}
