/* What sender and receiver share, and what they call. SPDX-License-Identifier: MIT */
enum { msg = 1, ack, timer };

void send(int type, int number);
void accept_data(void);
void getnew_data(void);
