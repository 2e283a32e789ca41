#!/bin/sh
printf '#!/bin/sh\necho $(($1 + $2))\n' > sum.sh
